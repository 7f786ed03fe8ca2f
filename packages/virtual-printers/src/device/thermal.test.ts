import { expect, test } from 'vitest'
import { modelNamed } from './models.ts'
import { changeHeater, type Heater, heaterTempAt, hotAt, isSettled } from './thermal.ts'

const { nozzle, bed } = modelNamed('MK4S')
const cold: Heater = { at: 0, temp: 20, target: 0, surroundings: 20 }

test('a nozzle heats from 20 to 220 °C in 60 to 90 seconds in every model', () => {
  for (const name of ['MK4S', 'MK3S', 'MINI', 'Ender-3 V3', 'P1S', 'A1 mini', 'X1C', 'Voron 2.4', 'something else']) {
    const model = modelNamed(name)
    const seconds = hotAt(model.nozzle, changeHeater(model.nozzle, cold, 0, { target: 220 }))
    expect(seconds).toBeGreaterThanOrEqual(60)
    expect(seconds).toBeLessThanOrEqual(90)
    expect(hotAt(model.bed, changeHeater(model.bed, cold, 0, { target: 60 }))).toBeGreaterThan(seconds)
  }
})

test('a heater rises all the way, arrives when it said, and then holds its target', () => {
  const heating = changeHeater(nozzle, cold, 0, { target: 220 })
  const arrival = hotAt(nozzle, heating)
  const readings = Array.from({ length: 20 }, (_, index) => heaterTempAt(nozzle, heating, (arrival * index) / 20))
  expect(readings).toEqual([...readings].sort((a, b) => a - b))
  expect(heaterTempAt(nozzle, heating, arrival - 1)).toBeLessThan(220)
  expect(heaterTempAt(nozzle, heating, arrival + 0.001)).toBe(220)
  expect(heaterTempAt(nozzle, heating, arrival + 1e7)).toBe(220)
})

test('cooling takes longer than heating, and a bed longer than a nozzle', () => {
  const hotNozzle = changeHeater(nozzle, { ...cold, temp: 220, target: 220 }, 0, { target: 0 })
  const hotBed = changeHeater(bed, { ...cold, temp: 60, target: 60 }, 0, { target: 0 })
  expect(heaterTempAt(nozzle, hotNozzle, 75)).toBeGreaterThan(120)
  expect(heaterTempAt(bed, hotBed, 600)).toBeGreaterThan(35)
  expect(isSettled(nozzle, hotNozzle, 600)).toBe(false)
  expect(isSettled(nozzle, hotNozzle, 3600)).toBe(true)
  expect(heaterTempAt(nozzle, hotNozzle, 1e9)).toBeCloseTo(20, 6)
})

test('a lower target is reached by cooling and goes no further', () => {
  const cooling = changeHeater(nozzle, { ...cold, temp: 220, target: 220 }, 10, { target: 150 })
  expect(heaterTempAt(nozzle, cooling, 10)).toBe(220)
  expect(heaterTempAt(nozzle, cooling, 5000)).toBe(150)
})

test('changing a heater half way does not make its temperature jump', () => {
  const heating = changeHeater(nozzle, cold, 0, { target: 220 })
  const before = heaterTempAt(nozzle, heating, 30)
  const changed = changeHeater(nozzle, heating, 30, { target: 100 })
  expect(heaterTempAt(nozzle, changed, 30)).toBe(before)
})
