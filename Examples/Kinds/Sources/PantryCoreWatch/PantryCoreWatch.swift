// OneSource: watch from Examples/Kinds/Pantry/PantryCore
// OneSource: as PantryCore
