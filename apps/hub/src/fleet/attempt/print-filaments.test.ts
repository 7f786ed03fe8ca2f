import { withTemporaryFile } from '@printyard/print-files/test/temporary-file'
import type { FilamentSlot } from '@printyard/protocol/printer-state'
import { describe, expect, test } from 'vitest'
import { sampleFile } from '../../test/conformance/driver-rig.ts'
import { type FilamentQuestion, withFilaments } from './print-filaments.ts'

const slot = (number: number, more: Partial<FilamentSlot> = {}): FilamentSlot => ({
  slot: number,
  name: `place ${number}`,
  filament_type: 'PLA',
  filament_color_hex: null,
  remaining_percent: null,
  is_empty: false,
  is_active: false,
  ...more,
})
const twoTools = ['M83', 'T0', 'G1 X10 Y10 E5', 'T1', 'G1 X20 Y10 E5', ''].join('\n')
const ask = (question: Partial<FilamentQuestion> & { filament_map?: { filament: number; slot: number | null }[] }) => {
  const { filament_map, ...rest } = question
  return withTemporaryFile(twoTools, (path) =>
    withFilaments({
      command: { file: sampleFile, ...(filament_map && { filament_map }) },
      path,
      capability: 'needed',
      slots: [slot(0), slot(1), slot(2, { is_empty: true }), slot(254, { is_empty: true, is_external: true })],
      signal: AbortSignal.timeout(10_000),
      ...rest,
    }),
  )
}

describe('a command with a map', () => {
  const filament_map = [
    { filament: 0, slot: 1 },
    { filament: 1, slot: 254 },
  ]

  test('goes to the driver as it is', async () => {
    expect(await ask({ filament_map })).toEqual({ ...sampleFile, filament_map, filaments: null })
  })

  test.each([
    ['a printer that cannot be told', { filament_map, capability: 'none' as const }],
    ['a slot that is empty', { filament_map: [{ filament: 0, slot: 2 }] }],
    ['a slot that is not there', { filament_map: [{ filament: 0, slot: 7 }] }],
    ['a filament without a slot', { filament_map: [{ filament: 0, slot: null }] }],
  ])('is refused for %s', async (_, question) => {
    await expect(ask(question)).rejects.toMatchObject({ code: 'NOT_MAPPED' })
  })
})

describe('a command without a map', () => {
  test('to a printer that would choose by itself brings what the file uses', async () => {
    expect((await ask({})).filaments).toMatchObject([{ index: 0 }, { index: 1 }])
  })

  test.each(['none', 'optional'] as const)('to a printer that maps by %s reads nothing', async (capability) => {
    expect(await ask({ capability })).toMatchObject({ filament_map: null, filaments: null })
  })

  test('of a file that cannot be read says that nothing is known', async () => {
    expect((await ask({ path: '/nowhere' })).filaments).toBeNull()
  })
})
