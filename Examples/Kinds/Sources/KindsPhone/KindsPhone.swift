// OneSource: phone from Examples/Kinds/Water, Examples/Kinds/Checklist, Examples/Kinds/Visits
