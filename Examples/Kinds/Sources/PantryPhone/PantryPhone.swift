// OneSource: phone from Examples/Kinds/Pantry/Pantry
