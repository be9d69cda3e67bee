"""A campaign league: groups, their games, and what happens to them afterwards. Values in, values out.

Dice come in as faces, names as arguments; nothing here asks a clock, draws a number or opens a file.
A decision takes a group and a choice and gives events, or refuses with every fault; `evolve` applies events.

| a question                                     | the module that answers it |
|------------------------------------------------|----------------------------|
| what do dice make, who rolls them, how are they kept? | `dice`, `dice_source`       |
| what does a pack say, in which version, and what may be set? | `ruleset`, `options`      |
| what do the tables hold, and are they sound?   | `tables`, `force_tables`, `semantic_checks` |
| what do people call it?                        | `names_of_things`          |
| what is a group, what can happen to it?        | `roster`, `evolve`, the modules of outcomes, `payloads` |
| what is a member like now?                     | `attributes`               |
| may this group enter, and what is it worth?    | `group`, `gear`, `rating`, `turf` |
| who plays, what was reported, who won?         | `muster`, `reported`, `report`, `deeds` |
| what may an organiser put right later?         | `ruled`                    |
| who stands where, and who meets whom?          | `standings`, `pairing`     |
| which step is open, what closes it?            | `steps`, `opening`, `post_game` |
| which choices are there, and what is asked now? | `choices/`: a module for each step, and the `table` |
| step 1: who is hurt, dead, in jail, who leads?  | `injuries`, `departures`   |
| steps 1b and 2: what was won and learnt?       | `rewards`, `experience`, `advancement` |
| step 3: what was found, who eats?              | `scavenging`, `visits`, `hunger`, `upkeep`, `ledger` |
| step 4: who joins?                             | `recruits`                 |
| step 5: what is bought, sold, found?           | `bartering`, `prices`, `scavenging` |
| steps 7 and 8: what is built and healed?       | `workshop`, `doctor`       |
| what is shown of a group, and why?             | `sheet`                    |
| who is not there?                              | `absent`                   |
"""
