import { MultiSelect, TagsInput } from '@mantine/core'
import type { UseFormReturnType } from '@mantine/form'

interface Choice {
  value: string
  label: string
}

/** What a rule can be narrowed down to. */
export interface FarmChoices {
  places: readonly string[]
  printers: readonly Choice[]
  /** Those that were found by what was typed, and all that are chosen. */
  products: readonly Choice[]
  onProductSearch: (typed: string) => void
}

interface Scope {
  locations: string[]
  printer_ids: string[]
  product_ids: string[]
}

/** The places, printers and products that a rule is for. */
export function RuleScopeFields<Values extends Scope>({
  form,
  choices,
}: {
  form: UseFormReturnType<Values>
  choices: FarmChoices
}) {
  return (
    <>
      <TagsInput
        label="Only at these places"
        description="Everywhere when it is empty"
        data={[...choices.places]}
        {...form.getInputProps('locations')}
      />
      <MultiSelect
        label="Only of these printers"
        description="All when it is empty"
        data={withChosen(choices.printers, form.values.printer_ids)}
        searchable
        {...form.getInputProps('printer_ids')}
      />
      <MultiSelect
        label="Only of these products"
        description="All when it is empty"
        data={withChosen(choices.products, form.values.product_ids)}
        searchable
        onSearchChange={choices.onProductSearch}
        {...form.getInputProps('product_ids')}
      />
    </>
  )
}

/** What is chosen and is gone stands there by its ID, so that it can be taken out. */
function withChosen(choices: readonly Choice[], chosen: readonly string[]): Choice[] {
  const known = new Set(choices.map(({ value }) => value))
  return [...choices, ...chosen.filter((id) => !known.has(id)).map((id) => ({ value: id, label: id }))]
}
