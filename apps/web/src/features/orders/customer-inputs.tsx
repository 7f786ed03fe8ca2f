import { SimpleGrid, TextInput } from '@mantine/core'

const fields = [
  { name: 'customer_name', label: 'Name', maxLength: 255 },
  { name: 'customer_email', label: 'Email', maxLength: 320 },
  { name: 'customer_phone', label: 'Telephone', maxLength: 50 },
  { name: 'shipping_street', label: 'Street and number', maxLength: 500 },
  { name: 'shipping_zip', label: 'Postal code', maxLength: 50 },
  { name: 'shipping_city', label: 'City', maxLength: 200 },
  { name: 'shipping_state', label: 'State or region', maxLength: 200 },
  { name: 'shipping_country', label: 'Country', maxLength: 100 },
] as const

export const noCustomer = Object.fromEntries(fields.map(({ name }) => [name, ''])) as Record<
  (typeof fields)[number]['name'],
  string
>

/** Who ordered, and where it goes. `inputProps` is `getInputProps` of the form. */
export function CustomerInputs({ inputProps }: { inputProps: (name: (typeof fields)[number]['name']) => object }) {
  return (
    <SimpleGrid cols={{ base: 1, xs: 2 }} spacing="sm">
      {fields.map(({ name, label, maxLength }) => (
        // Of another person: what the browser knows of its own user has no place here.
        <TextInput key={name} label={label} maxLength={maxLength} autoComplete="off" {...inputProps(name)} />
      ))}
    </SimpleGrid>
  )
}
