import { Anchor, Text } from '@mantine/core'
import type { Order } from '../../../lib/api/api-schema.generated.ts'
import { t } from '../../../lib/i18n/t.ts'
import { Facts } from '../../../ui/lists/facts.tsx'

/** Who ordered, and where the parcels go. */
export function CustomerFacts({ order }: { order: Order }) {
  const { customer_name, customer_email, customer_phone } = order
  const address = addressLines(order)
  if ([customer_name, customer_email, customer_phone, ...address].every((text) => text === '')) {
    return (
      <Text size="sm" c="dimmed">
        {t('The customer is unknown or was erased.')}
      </Text>
    )
  }
  return (
    <Facts
      facts={[
        [t('Name'), customer_name],
        [
          t('Email'),
          customer_email === '' ? null : (
            <Anchor key="email" href={`mailto:${customer_email}`}>
              {customer_email}
            </Anchor>
          ),
        ],
        [t('Telephone'), customer_phone],
        [t('Address'), address.length === 0 ? null : address.map((line) => <div key={line}>{line}</div>)],
      ]}
    />
  )
}

function addressLines(order: Order): string[] {
  const { shipping_street, shipping_zip, shipping_city, shipping_state, shipping_country } = order
  const town = [shipping_zip, shipping_city, shipping_state].filter(Boolean).join(' ')
  return [shipping_street, town, shipping_country].filter(Boolean)
}
