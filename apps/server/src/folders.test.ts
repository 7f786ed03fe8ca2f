import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join, relative, resolve } from 'node:path'
import { describe, expect, test } from 'vitest'

const root = import.meta.dirname

/** Test rooms, which may import anything. */
const testRooms = ['test', 'abuse', 'contract', 'db/test-processes']

/** The floors of the service, lowest first. A folder imports from its own floor and from those below it. */
const floors = [
  'kernel',
  'db',
  'tls',
  'redis',
  'live',
  'file-store',
  'limits',
  'cluster',
  'context',
  'http',
  'modules',
  'gateway',
  'operations',
  '',
]

/** Rooms that, with the rooms in them, know of no other module than those named. */
const leaves: Record<string, readonly string[]> = {
  'modules/events': [],
  'modules/attempts': ['modules/events', 'modules/jobs/state', 'modules/printers/plate', 'modules/printers/state'],
  'modules/attempts/under-way': [],
  'modules/hubs/state': [],
  'modules/jobs/state': ['modules/events'],
  'modules/matching': ['modules/attempts/under-way', 'modules/printers/models'],
  'modules/printers/plate': ['modules/attempts/under-way', 'modules/events'],
  'modules/printers/state': ['modules/attempts/under-way', 'modules/events'],
  'modules/worklist': ['modules/events', 'modules/people/accounts'],
}

interface Import {
  file: string
  from: string
  to: string
}

function listImports(): Import[] {
  const files = readdirSync(root, { recursive: true, encoding: 'utf8' })
  return files.filter(isProduct).flatMap((file) => {
    const text = readFileSync(join(root, file), 'utf8')
    return [...text.matchAll(/\b(?:from|import)\s*\(?\s*'(\.[^']+)'/g)].flatMap(([, target = '']) => {
      const to = folderOf(relative(root, resolve(root, dirname(file), target)))
      return to.startsWith('..') ? [] : [{ file, from: folderOf(file), to }]
    })
  })
}

function isProduct(file: string): boolean {
  const isCode = file.endsWith('.ts') && !file.endsWith('.test.ts')
  return isCode && !testRooms.some((room) => file.startsWith(`${room}/`))
}

function folderOf(file: string): string {
  const folder = dirname(file)
  return folder === '.' ? '' : folder
}

function floorOf(folder: string): number {
  return floors.findIndex((floor) => folder === floor || (floor !== '' && isWithin(folder, floor)))
}

function isWithin(folder: string, room: string): boolean {
  return folder === room || folder.startsWith(`${room}/`)
}

type Arrow = Pick<Import, 'from' | 'to'>

/** What imports from a floor above its own. */
function findUpward<Some extends Arrow>(imports: readonly Some[]): Some[] {
  return imports.filter(({ from, to }) => floorOf(to) > floorOf(from))
}

/** What makes a leaf know of a module that is not named. */
function findBeyondLeaves<Some extends Arrow>(imports: readonly Some[]): Some[] {
  return Object.entries(leaves).flatMap(([leaf, known]) =>
    imports.filter(
      ({ from, to }) => isWithin(from, leaf) && !isWithin(to, leaf) && isWithin(to, 'modules') && !known.includes(to),
    ),
  )
}

/** A way from a folder over others back to itself; undefined when there is none. */
function findCircle(imports: readonly Arrow[]): string[] | undefined {
  const arrows = Map.groupBy(imports, ({ from }) => from)
  const finished = new Set<string>()
  function walk(folder: string, way: string[]): string[] | undefined {
    if (way.includes(folder)) return [...way.slice(way.indexOf(folder)), folder]
    if (finished.has(folder)) return undefined
    for (const { to } of arrows.get(folder) ?? []) {
      const circle = to === folder ? undefined : walk(to, [...way, folder])
      if (circle) return circle
    }
    finished.add(folder)
    return undefined
  }
  for (const folder of arrows.keys()) {
    const circle = walk(folder, [])
    if (circle) return circle
  }
  return undefined
}

describe('the folders of the service', () => {
  const imports = listImports()

  test('no folder imports another that imports it back, directly or by a longer way', () => {
    expect(imports.length).toBeGreaterThan(1_000)
    expect(findCircle(imports)).toBeUndefined()
  })

  test('a circle would be found', () => {
    const circle = [
      { from: 'a', to: 'b' },
      { from: 'b', to: 'c' },
      { from: 'c', to: 'a' },
    ]
    expect(findCircle(circle)).toEqual(['a', 'b', 'c', 'a'])
    expect(findCircle(circle.slice(0, 2))).toBeUndefined()
  })

  test('each folder stands on a floor and imports nothing from a floor above', () => {
    expect(imports.filter(({ from }) => floorOf(from) < 0)).toEqual([])
    expect(findUpward(imports)).toEqual([])
  })

  test('an arrow to a floor above would be found', () => {
    const upward = { from: 'kernel', to: 'modules/jobs/life' }
    expect(findUpward([upward, { from: 'modules/jobs/life', to: 'kernel' }, { from: '', to: 'modules' }])).toEqual([
      upward,
    ])
    expect(findUpward([{ from: 'context', to: 'http' }])).toHaveLength(1)
  })

  test('leaf modules know of no other module than those named', () => {
    for (const leaf of Object.keys(leaves)) expect(imports.some(({ from }) => isWithin(from, leaf))).toBe(true)
    expect(findBeyondLeaves(imports)).toEqual([])
  })

  test('an arrow from a leaf, or from a room in it, to another module would be found', () => {
    const beyond = [
      { from: 'modules/matching', to: 'modules/scheduler' },
      { from: 'modules/matching/rules', to: 'modules/jobs/life' },
    ]
    const within = [
      { from: 'modules/matching/rules', to: 'modules/matching' },
      { from: 'modules/matching/rules', to: 'modules/printers/models' },
      { from: 'modules/matching', to: 'kernel' },
      { from: 'modules/scheduler', to: 'modules/matching' },
    ]
    expect(findBeyondLeaves([...beyond, ...within])).toEqual(beyond)
  })

  test('no folder holds more than 25 source files', () => {
    const files = readdirSync(root, { recursive: true, encoding: 'utf8' }).filter(isProduct)
    const crowded = [...Map.groupBy(files, folderOf)].filter(([, inside]) => inside.length > 25)
    expect(crowded.map(([folder, inside]) => `${folder}: ${inside.length}`)).toEqual([])
  })
})
