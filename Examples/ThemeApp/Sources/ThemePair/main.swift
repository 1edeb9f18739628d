import PairsimTool
import ThemePhone

Pairsim.main(catalogs: ["Theme": ThemePhone.ThemeCatalog()], invariants: [.bothShow("theme")]) {
    PhoneApp()
} watch: {
    WatchApp()
}
