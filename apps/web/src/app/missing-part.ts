import { t } from '../lib/i18n/t.ts'

/** What became of a script or sheet of the dashboard that could not be loaded. */
export type PartFate = 'gone' | 'away' | 'there'

/** A script of the dashboard did not come, and the page that it draws cannot be shown. */
export class MissingPart extends Error {
  constructor(cause: unknown) {
    // Not the browser's own words: at these the router reloads without asking, also where no service would answer.
    super(t('A part of the dashboard was not loaded.'), { cause })
    this.name = 'MissingPart'
  }
}

/** As Chromium, Firefox and Safari tell of scripts, and Vite of sheets. */
const notLoaded = /dynamically imported module|module script failed|unable to preload css/i

export function isMissingPart(error: unknown): boolean {
  return error instanceof MissingPart || (error instanceof Error && notLoaded.test(error.message))
}

/** The address of the part, where the browser says it. */
export function addressOfPart(error: unknown): string | undefined {
  const told = error instanceof MissingPart ? error.cause : error
  return told instanceof Error ? /(?:https?:\/\/\S+|\/assets\/\S+)/.exec(told.message)?.[0] : undefined
}

/**
 * Asks the service for the part: `gone` after an update, whose page names others; `away` while the service does not answer;
 * `there` when it only did not arrive. Of a part that no one names, an answer at all means an update.
 */
export async function findFate(error: unknown): Promise<PartFate> {
  const address = addressOfPart(error)
  try {
    const { ok } = await fetch(address ?? '/livez', { method: 'HEAD', cache: 'no-store' })
    return ok && address !== undefined ? 'there' : 'gone'
  } catch {
    // No answer at all.
    return 'away'
  }
}
