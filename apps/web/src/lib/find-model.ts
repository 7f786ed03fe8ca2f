import type { PrinterModel } from './api/api-schema.generated.ts'

const spelling = (text: string) => text.toLowerCase().replace(/[^\p{L}\p{N}+]/gu, '')

/** The model of the catalogue that a printer's own words name, with or without its maker. */
export function findModel(models: readonly PrinterModel[], text: string): PrinterModel | undefined {
  const wanted = spelling(text)
  return models.find(({ name, manufacturer, other_names }) => {
    const maker = spelling(manufacturer)
    const brand = spelling(manufacturer.split(' ')[0] ?? '')
    const names = [name, ...other_names].map(spelling)
    return names.some((each) =>
      [each, maker + each, withoutStart(each, maker), withoutStart(each, brand)].includes(wanted),
    )
  })
}

/** `P1S` of `Bambu Lab P1S`: the maker stands before the name, in full or by its first word. */
function withoutStart(name: string, start: string): string {
  return name.startsWith(start) ? name.slice(start.length) : name
}
