import { SimpleGrid, TextInput } from '@mantine/core'
import { t } from '../../lib/i18n/t.ts'

const fields = [
  { name: 'customer_name', label: t('Name'), maxLength: 255 },
  { name: 'customer_email', label: t('Email'), maxLength: 320 },
  { name: 'customer_phone', label: t('Telephone'), maxLength: 50 },
  { name: 'shipping_street', label: t('Street and number'), maxLength: 500 },
  { name: 'shipping_zip', label: t('Postal code'), maxLength: 50 },
  { name: 'shipping_city', label: t('City'), maxLength: 200 },
  { name: 'shipping_state', label: t('State or region'), maxLength: 200 },
  { name: 'shipping_country', label: t('Country'), maxLength: 100 },
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
