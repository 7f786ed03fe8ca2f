/**
 * Heating and cooling as first-order curves with a known value at every moment: nothing has to be stepped. Times are
 * simulated seconds, temperatures °C.
 */

/** What a heater can do. A heater that only has a sensor has `maxTemp` 0. */
export interface HeaterSpec {
  /** The highest target that the firmware accepts. */
  maxTemp: number
  /** Temperature to which full power would lead if nothing regulated it; above `maxTemp`, so that every target is reached. */
  ceilingTemp: number
  heatTauSeconds: number
  coolTauSeconds: number
}

/** A heater since its last change. */
export interface Heater {
  at: number
  temp: number
  /** 0 means off. */
  target: number
  /** What it cools down (or, for a chamber, warms up) to when it is off. */
  surroundings: number
}

/** The true temperature at `seconds`, which must not lie before the heater's last change. */
export function heaterTempAt(spec: HeaterSpec, heater: Heater, seconds: number): number {
  const elapsed = Math.max(0, seconds - heater.at)
  if (heater.target > heater.temp) {
    return Math.min(heater.target, approach(heater.temp, spec.ceilingTemp, spec.heatTauSeconds, elapsed))
  }
  return Math.max(heater.target, approach(heater.temp, heater.surroundings, spec.coolTauSeconds, elapsed))
}

/** Answers when the heater reaches its target from below; the moment of its last change when it is already as hot. */
export function hotAt(spec: HeaterSpec, heater: Heater): number {
  if (heater.target <= heater.temp) return heater.at
  const headroom = (spec.ceilingTemp - heater.temp) / (spec.ceilingTemp - heater.target)
  return heater.at + spec.heatTauSeconds * Math.log(headroom)
}

/** The heater from `seconds` on, with another target or other surroundings. */
export function changeHeater(
  spec: HeaterSpec,
  heater: Heater,
  seconds: number,
  change: { target?: number; surroundings?: number },
): Heater {
  return { ...heater, ...change, at: seconds, temp: heaterTempAt(spec, heater, seconds) }
}

/** True when its temperature no longer changes by anything that a display would show. */
export function isSettled(spec: HeaterSpec, heater: Heater, seconds: number): boolean {
  return Math.abs(heaterTempAt(spec, heater, seconds) - heater.surroundings) < 0.05
}

/** The time constant that makes a heater with this ceiling take `seconds` from one temperature to another. */
export function heatTauFor(ceilingTemp: number, fromTemp: number, toTemp: number, seconds: number): number {
  return seconds / Math.log((ceilingTemp - fromTemp) / (ceilingTemp - toTemp))
}

function approach(from: number, to: number, tauSeconds: number, elapsed: number): number {
  return to + (from - to) * Math.exp(-elapsed / tauSeconds)
}
