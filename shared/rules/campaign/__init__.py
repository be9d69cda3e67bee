"""A campaign league: groups, their games, and what happens to them afterwards. Values in, values out.

Dice come in as faces, names as arguments; nothing here asks a clock, draws a number or opens a file but the tables.

| a question                                   | the module that answers it |
|----------------------------------------------|----------------------------|
| what do dice make, and how are they kept?    | `dice`                     |
| what may an organiser set?                   | `options`                  |
| what do the tables hold, and are they sound? | `tables`, `force_tables`, `pack`, `sound` |
"""
