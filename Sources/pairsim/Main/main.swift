import PairsimTool

Pairsim.main()
