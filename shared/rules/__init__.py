"""Packs, scores, standings, pairing and draws: pure functions over frozen values.

No clock, no randomness but recorded draws, no floats; the only file read is a pack, when it is loaded.

| a question                                   | the module that answers it |
|----------------------------------------------|----------------------------|
| what can be said of players, games, scores?  | `model`                    |
| what does a ruleset hold?                    | `ruleset`, `parts`, `game_parts`, `roster_parts` |
| which pieces may a pack name?                | `registries`               |
| how is a pack read, and why was it refused?  | `pack`, `plain`, `shape`, `sound` |
| what may an organiser set?                   | `options`                  |
| what is a reported game worth?               | `scoring`, `margins`, `outcomes` |
| what is a game worth by its table?           | `battle_builder`, `objectives`, `table_facts` |
| who stands where, and why?                   | `standings`, `tiebreakers`, `explain` |
| who meets whom, and why?                     | `pairing`, `brackets`, `paper`, `byes` |
| who comes first in a random order?           | `draw`                     |
| is this list legal?                          | `roster`                   |
| what is there to choose from, at what price? | `catalogue`, `catalogue_pack` |
| how many rounds, how long, and then?         | `rounds`, `cut`, `tables`  |
| what happens in a campaign league?           | `campaign` (a package)     |
| what is printed and filled in?               | `forms`                    |
"""
