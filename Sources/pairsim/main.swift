print("pairsim")
