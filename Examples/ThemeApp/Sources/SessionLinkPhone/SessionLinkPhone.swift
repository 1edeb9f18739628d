// OneSource: phone from SessionLink
