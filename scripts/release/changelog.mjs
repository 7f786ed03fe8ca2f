/** Kinds of commits that change something for those who use Printyard, in the order of the page. */
const kinds = /** @type {const} */ ([
  ['feat', 'New'],
  ['fix', 'Fixed'],
  ['perf', 'Faster'],
])

/**
 * A version and the commits since the one before it.
 *
 * @typedef {{ version: string, date: string, subjects: string[] }} ReleaseCommits
 */

/**
 * The page of all versions, the newest first. What breaks something stands at the top of its version, the rest by kind and part of
 * the system. Commits of other kinds are left out, and so are lines that say the same twice.
 *
 * @param {ReleaseCommits[]} releases the newest first
 */
export function formatChangelog(releases) {
  const sections = releases.map(formatRelease)
  return `# Changes\n\nEvery version with what is new in it, made from the commits by \`npm run release\`.\n\n${sections.join('\n')}`
}

/** @param {ReleaseCommits} release */
function formatRelease({ version, date, subjects }) {
  const changes = subjects.flatMap((subject) => {
    const match = /^(\w+)(?:\(([^)]+)\))?(!?): (.+)$/.exec(subject)
    if (match === null) return []
    const [, kind = '', scope = '', mark, text = ''] = match
    return [{ kind, scope, isBreaking: mark === '!', text: text.trim() }]
  })
  const breaking = changes.filter(({ isBreaking }) => isBreaking)
  const parts = [formatPart('Breaking', breaking)]
  for (const [kind, title] of kinds) {
    parts.push(
      formatPart(
        title,
        changes.filter((change) => change.kind === kind && !change.isBreaking),
      ),
    )
  }
  const body = parts.filter((part) => part !== '').join('\n')
  return `## ${version} (${date})\n\n${body === '' ? 'No change for users.\n' : body}`
}

/**
 * @param {string} title
 * @param {{ scope: string, text: string }[]} changes
 */
function formatPart(title, changes) {
  if (changes.length === 0) return ''
  /** @type {Map<string, Set<string>>} */
  const byScope = new Map()
  for (const { scope, text } of changes) byScope.set(scope, (byScope.get(scope) ?? new Set()).add(text))
  const lines = [...byScope.keys()].sort().flatMap((scope) => {
    const texts = [...(byScope.get(scope) ?? [])]
    if (scope === '') return texts.map((text) => `- ${text}`)
    if (texts.length === 1) return [`- **${scope}**: ${texts[0]}`]
    return [`- **${scope}**`, ...texts.map((text) => `  - ${text}`)]
  })
  return `### ${title}\n\n${lines.join('\n')}\n`
}
