import { DEFAULT_THEME, mergeMantineTheme } from '@mantine/core'
import { expect, test } from 'vitest'
import { cssVariables, theme } from './theme.ts'

const variables = cssVariables(mergeMantineTheme(DEFAULT_THEME, theme))

function luminance(hex: string): number {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((start) => {
    const part = Number.parseInt(hex.slice(start, start + 2), 16) / 255
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4
  })
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}

function contrast(left: string, right: string): number {
  const [light = 0, dark = 0] = [luminance(left), luminance(right)].sort((a, b) => b - a)
  return (light + 0.05) / (dark + 0.05)
}

for (const scheme of ['light', 'dark'] as const) {
  const colors: Record<string, string> = { ...variables[scheme] }
  const tones = Object.keys(colors).filter((name) => /^--tone-[a-z]+$/.test(name))
  test.each(tones)(`${scheme}: %s can be read on its own ground, on panels and on the page`, (tone) => {
    for (const ground of [`${tone}-ground`, '--yard-panel', '--mantine-color-body']) {
      expect(contrast(colors[tone] ?? '', colors[ground] ?? ''), ground).toBeGreaterThanOrEqual(4.5)
    }
  })
  test(`${scheme}: text that stands back can still be read`, () => {
    for (const ground of ['--yard-panel', '--mantine-color-body']) {
      expect(contrast(colors['--mantine-color-dimmed'] ?? '', colors[ground] ?? '')).toBeGreaterThanOrEqual(4.5)
    }
  })
}

test('white text can be read on buttons of either scheme', () => {
  const { primaryColor, primaryShade, colors } = mergeMantineTheme(DEFAULT_THEME, theme)
  for (const shade of Object.values(primaryShade)) {
    expect(contrast('#ffffff', colors[primaryColor]?.[shade] ?? '')).toBeGreaterThanOrEqual(4.5)
  }
})
