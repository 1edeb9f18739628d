// OneSource: watch from ThemeApp
