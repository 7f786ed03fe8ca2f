import { afterEach, expect, test } from 'vitest'
import { makeDataDir } from '../../test/test-hub.ts'
import { openAskedFile } from './asked-file.ts'

const dataDir = makeDataDir()
afterEach(() => dataDir.remove())

test('the file that a printer was asked to print is known after a restart of the hub, until something else was printed', () => {
  const asked = openAskedFile(dataDir.path, 'prn_1')
  expect(asked.path).toBeNull()
  asked.replace('cube-0001.gcode')
  expect(openAskedFile(dataDir.path, 'prn_1').path).toBe('cube-0001.gcode')
  expect(openAskedFile(dataDir.path, 'prn_2').path).toBeNull()
  asked.replace(null)
  expect(openAskedFile(dataDir.path, 'prn_1').path).toBeNull()
})
