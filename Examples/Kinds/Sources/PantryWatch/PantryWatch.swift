// OneSource: watch from Examples/Kinds/Pantry/Pantry
