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

/** Rooms that know of no other module than those named. */
const leaves: Record<string, readonly string[]> = {
  'modules/events': [],
  'modules/attempts': ['modules/events', 'modules/jobs/state', 'modules/printers/plate', 'modules/printers/state'],
  'modules/hubs/state': [],
  'modules/jobs/state': ['modules/events'],
  'modules/printers/plate': ['modules/events'],
  'modules/printers/state': ['modules/events'],
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
  return floors.findIndex((floor) => folder === floor || (floor !== '' && folder.startsWith(`${floor}/`)))
}

/** A way from a folder over others back to itself; undefined when there is none. */
function findCircle(imports: Pick<Import, 'from' | 'to'>[]): string[] | undefined {
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
    expect(imports.filter(({ from, to }) => floorOf(to) > floorOf(from))).toEqual([])
  })

  test('leaf modules know of no other module than those named', () => {
    for (const [leaf, known] of Object.entries(leaves)) {
      const others = imports.filter(({ from, to }) => from === leaf && to !== leaf && to.startsWith('modules/'))
      expect(others.filter(({ to }) => !known.includes(to))).toEqual([])
    }
  })

  test('no folder holds more than 25 source files', () => {
    const files = readdirSync(root, { recursive: true, encoding: 'utf8' }).filter(isProduct)
    const crowded = [...Map.groupBy(files, folderOf)].filter(([, inside]) => inside.length > 25)
    expect(crowded.map(([folder, inside]) => `${folder}: ${inside.length}`)).toEqual([])
  })
})
