import { expect, test } from 'vitest'
import { formatChangelog } from './changelog.mjs'

test('changes stand by version, kind and part of the system; what breaks comes first, the rest is left out', () => {
  const page = formatChangelog([
    {
      version: '0.2.0',
      date: '2026-12-01',
      subjects: [
        'feat(jobs): retry a failed job on another printer',
        'chore: newer linter',
        'feat(files)!: files are sorted by order_by',
        'fix(hub): a print of zero minutes is a minute',
        'fix(hub): a print of zero minutes is a minute',
        'feat(jobs): a job says why it waits',
        'feat: one command makes a release',
        'perf(web): the first page loads half as much',
        'Merge branch work',
      ],
    },
    { version: '0.1.0', date: '2026-11-01', subjects: ['docs: plainer words'] },
  ])
  expect(page).toBe(`# Changes

Every version with what is new in it, made from the commits by \`npm run release\`.

## 0.2.0 (2026-12-01)

### Breaking

- **files**: files are sorted by order_by

### New

- one command makes a release
- **jobs**
  - retry a failed job on another printer
  - a job says why it waits

### Fixed

- **hub**: a print of zero minutes is a minute

### Faster

- **web**: the first page loads half as much

## 0.1.0 (2026-11-01)

No change for users.
`)
})
