/** Names that are remembered; the oldest is forgotten. */
const MOST_RENAMED = 100

/** The name under which the printer stores a file: it writes blanks as underscores. */
export function storedName(fileName: string): string {
  return fileName.replaceAll(' ', '_')
}

/** The names that files were given by us, by those that the printer made of them. */
export class StoredNames {
  readonly #given = new Map<string, string>()

  remember(fileName: string): void {
    const stored = storedName(fileName)
    if (stored === fileName) return
    this.#given.delete(stored)
    this.#given.set(stored, fileName)
    for (const oldest of this.#given.keys()) if (this.#given.size > MOST_RENAMED) this.#given.delete(oldest)
  }

  /** The name that a stored file was given by us; its own where it has no other. */
  nameOf(stored: string): string {
    return this.#given.get(stored) ?? stored
  }
}
