// OneSource: phone from ThemeApp
