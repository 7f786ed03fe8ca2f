import { startLanguage } from '../lib/i18n/language.ts'

// Texts are read when their modules are, so the language is there before any of them. The page's own links fetch the
// dashboard meanwhile (`preload-start.ts`).
void startLanguage().then(() => import('./start.tsx'))
