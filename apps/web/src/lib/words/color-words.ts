import { t } from '../i18n/t.ts'

const hues: readonly (readonly [to: number, name: string])[] = [
  [15, t('Red')],
  [42, t('Orange')],
  [70, t('Yellow')],
  [165, t('Green')],
  [195, t('Turquoise')],
  [255, t('Blue')],
  [290, t('Purple')],
  [340, t('Pink')],
  [361, t('Red')],
]

/**
 * A colour as people say it. Names stay as they are; a value such as `#1F6FEB`, which no one can picture, is told by the
 * name of its hue: `Blue`.
 */
export function colorWords(color: string): string {
  const value = /^#?([0-9a-f]{6})(?:[0-9a-f]{2})?$/i.exec(color.trim())?.[1]
  if (value === undefined) return color
  const channels = [0, 2, 4].map((at) => Number.parseInt(value.slice(at, at + 2), 16) / 255)
  const [red = 0, green = 0, blue = 0] = channels
  const [high, low] = [Math.max(...channels), Math.min(...channels)]
  const [light, chroma] = [(high + low) / 2, high - low]
  if (light < 0.12) return t('Black')
  if (chroma < 0.1) return light > 0.88 ? t('White') : t('Grey')
  const turn =
    high === red ? (green - blue) / chroma : high === green ? 2 + (blue - red) / chroma : 4 + (red - green) / chroma
  const hue = (turn * 60 + 360) % 360
  const name = hues.find(([to]) => hue < to)?.[1] ?? t('Red')
  return name === t('Orange') && light < 0.35 ? t('Brown') : name
}
