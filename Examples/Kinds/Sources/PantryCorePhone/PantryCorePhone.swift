// OneSource: phone from Examples/Kinds/Pantry/PantryCore
// OneSource: as PantryCore
