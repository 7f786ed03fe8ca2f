interface Lab {
  l: number
  a: number
  b: number
}

/**
 * Answers how far two colours `#RRGGBB` lie apart to the eye: CIEDE2000 (CIE 142-2001), 0 for the same, 100 for black and white. About 1 is what
 * people just notice side by side.
 */
export function colorDistance(first: string, second: string): number {
  return first === second ? 0 : ciede2000(toLab(first), toLab(second))
}

/** sRGB (IEC 61966-2-1) to CIELAB under D65. */
function toLab(hex: string): Lab {
  const [r = 0, g = 0, b = 0] = [1, 3, 5].map((at) => {
    const value = Number.parseInt(hex.slice(at, at + 2), 16) / 255
    return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4
  })
  const x = f((0.4124564 * r + 0.3575761 * g + 0.1804375 * b) / 0.95047)
  const y = f(0.2126729 * r + 0.7151522 * g + 0.072175 * b)
  const z = f((0.0193339 * r + 0.119192 * g + 0.9503041 * b) / 1.08883)
  return { l: 116 * y - 16, a: 500 * (x - y), b: 200 * (y - z) }
}

function f(t: number): number {
  return t > 216 / 24389 ? Math.cbrt(t) : (t * 24389) / 27 / 116 + 16 / 116
}

const radians = (degrees: number) => (degrees * Math.PI) / 180
const pow7 = 25 ** 7

/** The names are those of the formula. */
function ciede2000(one: Lab, two: Lab): number {
  const meanC = (Math.hypot(one.a, one.b) + Math.hypot(two.a, two.b)) / 2
  const g = 0.5 * (1 - Math.sqrt(meanC ** 7 / (meanC ** 7 + pow7)))
  const [a1, a2] = [one.a * (1 + g), two.a * (1 + g)]
  const [c1, c2] = [Math.hypot(a1, one.b), Math.hypot(a2, two.b)]
  const [h1, h2] = [hue(a1, one.b), hue(a2, two.b)]
  const isGrey = c1 * c2 === 0
  const turn = isGrey ? 0 : ((h2 - h1 + 540) % 360) - 180
  const sum = isGrey ? h1 + h2 : h1 + turn / 2
  const deltaL = two.l - one.l
  const deltaC = c2 - c1
  const deltaH = 2 * Math.sqrt(c1 * c2) * Math.sin(radians(turn / 2))
  const meanL = (one.l + two.l) / 2
  const mean = (c1 + c2) / 2
  const t =
    1 -
    0.17 * Math.cos(radians(sum - 30)) +
    0.24 * Math.cos(radians(2 * sum)) +
    0.32 * Math.cos(radians(3 * sum + 6)) -
    0.2 * Math.cos(radians(4 * sum - 63))
  const sl = 1 + (0.015 * (meanL - 50) ** 2) / Math.sqrt(20 + (meanL - 50) ** 2)
  const sc = 1 + 0.045 * mean
  const sh = 1 + 0.015 * mean * t
  const positive = ((sum % 360) + 360) % 360
  const rotation =
    -2 * Math.sqrt(mean ** 7 / (mean ** 7 + pow7)) * Math.sin(radians(60 * Math.exp(-(((positive - 275) / 25) ** 2))))
  const [l, c, h] = [deltaL / sl, deltaC / sc, deltaH / sh]
  return Math.sqrt(l * l + c * c + h * h + rotation * c * h)
}

function hue(a: number, b: number): number {
  if (a === 0 && b === 0) return 0
  return (Math.atan2(b, a) * 180) / Math.PI
}
