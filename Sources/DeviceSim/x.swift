import LocalData
