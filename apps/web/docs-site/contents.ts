/** A group of pages in the contents of the documentation. */
interface Group {
  title: string
  /** Paths of Markdown files in the repository, in the order in which they are read. */
  sources: readonly string[]
}

/**
 * What the documentation has, and in which order. Pages of folders named in `shelves` are reached from the first page of their
 * group; every other file of `docs/` is listed here by its name, which a test checks.
 */
export const groups: readonly Group[] = [
  {
    title: 'Start',
    sources: [
      'README.md',
      ...['README', 'npm', 'deb', 'image', 'compose', 'compose-cluster', 'kubernetes', 'tarball', 'git'].map(
        (name) => `docs/install/${name}.md`,
      ),
      'docs/leaving-and-arriving.md',
    ],
  },
  {
    title: 'The farm',
    sources: [
      'dashboard',
      'matching',
      'print-times',
      'materials',
      'automation',
      'home-assistant',
      'notifications',
      'shifts',
      'wiki',
      'reports',
      'costs',
      'people',
    ].map((name) => `docs/${name}.md`),
  },
  {
    title: 'Products and orders',
    sources: ['catalogue', 'recipes', 'orders', 'shops', 'closed-loop'].map((name) => `docs/${name}.md`),
  },
  {
    title: 'Printers and hubs',
    sources: [
      ...[
        'README',
        'install',
        'discovery',
        'capabilities',
        'bambu',
        'creality',
        'elegoo',
        'moonraker',
        'octoprint',
        'prusalink',
        'virtual',
        'simulators',
      ].map((name) => `docs/hub/${name}.md`),
      'docs/slicers.md',
      'docs/print-files.md',
    ],
  },
  {
    title: 'Operating',
    sources: [
      ...[
        'backups',
        'restoring-a-backup',
        'upgrading',
        'https',
        'behind-a-proxy',
        'logs',
        'support',
        'getting-back-in',
        'small-machines',
        'quotas',
        'object-store',
        'redis',
        'scale',
        'what-is-kept',
      ].map((name) => `docs/operating/${name}.md`),
      'docs/security.md',
    ],
  },
  {
    title: 'API',
    sources: [
      ...[
        'README',
        'tour',
        'authentication',
        'rate-limits',
        'idempotency',
        'paging',
        'conditional-requests',
        'events',
        'event-types',
        'clients',
      ].map((name) => `docs/api/${name}.md`),
      'packages/sdk/README.md',
      'packages/sdk-python/README.md',
      'docs/webhooks.md',
      'docs/errors/README.md',
      'docs/mcp.md',
    ],
  },
  {
    title: 'Look up',
    sources: [
      'docs/cli.md',
      'docs/glossary.md',
      'docs/export-format.md',
      'docs/hub/protocol.md',
      'docs/security/asvs.md',
    ],
  },
  {
    title: 'Development',
    sources: ['CONTRIBUTING.md', 'docs/translating.md'],
  },
]

/** Folders whose pages stand in no group of the contents: there are many, and other pages lead to them. */
export const shelves: readonly { folder: string; title: string; group: string }[] = [
  { folder: 'docs/errors', title: 'Error codes', group: 'API' },
  { folder: 'docs/decisions', title: 'Decisions', group: 'Development' },
]

/** The gallery: its 250 pictures would make each installation several megabytes larger. */
export const leftOut: readonly string[] = ['docs/images/README.md']
