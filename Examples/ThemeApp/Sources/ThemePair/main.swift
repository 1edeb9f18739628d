import PairsimTool
import ThemePhone

Pairsim.main(catalogs: ["Theme": ThemePhone.ThemeCatalog()]) {
    PhoneApp()
} watch: {
    WatchApp()
}
