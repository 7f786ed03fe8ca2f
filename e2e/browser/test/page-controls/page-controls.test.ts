import { globSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { everyPage } from '../every-page.ts'
import { namesOf } from '../shown-controls.ts'
import { findControlFaults, isMissing } from './find-control-faults.ts'
import { callingControls, pageControls, routesOfTheirOwn } from './page-controls.ts'

test('every page of the router says who may act with what there', () => {
  expect(Object.keys(pageControls).sort()).toEqual(everyPage.map(({ path }) => path).sort())
})

test('every route by which the dashboard changes something stands behind a control of the table', () => {
  const known = new Set<string>([...callingControls.flatMap(({ calls }) => calls), ...routesOfTheirOwn])
  const source = fileURLToPath(new URL('../../../../apps/web/src', import.meta.url))
  const files = globSync('{app,features}/**/*.{ts,tsx}', { cwd: source }).filter((name) => !name.includes('.test.'))
  const named = files.flatMap((name) => {
    const text = readFileSync(`${source}/${name}`, 'utf8')
    return [...text.matchAll(/'((?:POST|PUT|PATCH|DELETE) \/[^']*)'/g)].map(([, route]) => route ?? '')
  })
  expect(named.length).toBeGreaterThan(40)
  expect([...new Set(named)].filter((route) => !known.has(route))).toEqual([])
})

test('what is missing, what is for others and what no one has listed are told apart', () => {
  const controls = [
    { name: 'Search', who: ['viewer', 'operator'], calls: [] },
    { name: /^Stop/, who: ['operator'], calls: [] },
    { name: 'Resume', who: ['operator'], calls: [], isSeldom: true },
  ] as const
  expect(findControlFaults(['Search'], controls, 'viewer')).toEqual([])
  const faults = findControlFaults(['Stop the print', 'Burn'], controls, 'viewer')
  expect(faults).toEqual(['Search is missing', 'Stop the print is not for them', 'Burn is unlisted'])
  expect(faults.filter(isMissing)).toEqual(['Search is missing'])
  expect(findControlFaults(['Search', 'Stop', 'Resume'], controls, 'operator')).toEqual([])
})

test('the names of controls are read out of a snapshot, whatever signs are in them', () => {
  const snapshot = [
    '- main:',
    '  - heading "Queue" [level=1]',
    '  - radio "Cards" [checked]',
    `  - 'button "Print this: a.gcode" [disabled]'`,
    `  - 'button "Table: \\"x\\", it''s"'`,
    '  - link "Files":',
    '    - /url: /files',
    '  - button',
  ].join('\n')
  expect(namesOf(snapshot)).toEqual(['Cards', 'Print this: a.gcode', `Table: "x", it's`, 'without a name: - button'])
})
