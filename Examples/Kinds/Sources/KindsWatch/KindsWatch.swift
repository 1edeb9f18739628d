// OneSource: watch from Examples/Kinds/Water, Examples/Kinds/Checklist, Examples/Kinds/Visits, Examples/Kinds/Score, Examples/Kinds/Remote, Examples/Kinds/Forecast
