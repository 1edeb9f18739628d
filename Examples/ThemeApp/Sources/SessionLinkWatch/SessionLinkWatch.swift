// OneSource: watch from SessionLink
