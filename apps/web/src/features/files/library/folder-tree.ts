/** A folder as the service counts it. */
interface CountedFolder {
  folder: string
  /** Files right in it. */
  files: number
}

/** A folder right below another one. */
interface Below {
  /** Its own name, without those above it. */
  name: string
  folder: string
  /** Files in it and in all below it. */
  files: number
}

/** The folders right below a folder, by name; below `''` those that are below none. */
export function foldersBelow(all: readonly CountedFolder[], folder: string): Below[] {
  const start = folder === '' ? '' : `${folder}/`
  const below = new Map<string, Below>()
  for (const { folder: each, files } of all) {
    if (!each.startsWith(start) || each === folder) continue
    const [name = ''] = each.slice(start.length).split('/')
    const known = below.get(name)
    below.set(name, { name, folder: start + name, files: (known?.files ?? 0) + files })
  }
  return [...below.values()].sort((a, b) => a.name.localeCompare(b.name))
}

/** The way to a folder: itself and all above it, the outermost first. */
export function wayTo(folder: string): { name: string; folder: string }[] {
  if (folder === '') return []
  const names = folder.split('/')
  return names.map((name, index) => ({ name, folder: names.slice(0, index + 1).join('/') }))
}
