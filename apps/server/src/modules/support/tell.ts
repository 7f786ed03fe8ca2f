/** A sentence for the one who runs the machine, and the same for strangers who help. */
export interface Told {
  /** Everything. */
  text: string
  /** Without what is of this machine or of people: for a support bundle. */
  shareable: string
}

/** Stands where something was left out. */
const leftOut = '[left out]'

class Shareable {
  readonly value: string

  constructor(value: string) {
    this.value = value
  }
}

/** Marks a text that belongs to the program, such as an error code or a version, and may be shown to strangers. */
export function shareable(value: string): Shareable {
  return new Shareable(value)
}

/**
 * A sentence whose own words and numbers are for everybody, and whose texts are not, unless they are marked by `shareable` or are
 * sentences of this kind themselves.
 */
export function tell(words: TemplateStringsArray, ...values: (string | number | Shareable | Told | undefined)[]): Told {
  const text = values.map((value) =>
    value instanceof Shareable ? value.value : isTold(value) ? value.text : `${value}`,
  )
  const shown = values.map((value) => {
    if (value instanceof Shareable) return value.value
    if (isTold(value)) return value.shareable
    return typeof value === 'number' ? `${value}` : leftOut
  })
  return { text: String.raw({ raw: words }, ...text), shareable: String.raw({ raw: words }, ...shown) }
}

function isTold(value: unknown): value is Told {
  return typeof value === 'object' && value !== null && 'shareable' in value
}
