import { Divider, Stack, Text, Title } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Rich } from '../../lib/i18n/rich.tsx'
import { t } from '../../lib/i18n/t.ts'
import { QueryView } from '../../ui/page/query-view.tsx'
import { ForOrders } from '../../ui/production/for-orders.tsx'
import { ThingLink } from '../../ui/thing-link.tsx'
import { assemblyQuery } from './worklist.api.ts'
import './worklist.css'

/** What is put together and the article that says how, beside the task. */
export function AssemblyGuide({ assemblyId }: { assemblyId: string }) {
  const assembly = useQuery(assemblyQuery(assemblyId))
  return (
    <QueryView query={assembly} failed={t('The units to put together could not be read')}>
      {({
        product_sku_id,
        product_name,
        sku,
        quantity,
        quantity_completed,
        quantity_rejected,
        notes,
        wiki_article,
        for_orders,
      }) => (
        <Stack gap="xs">
          <Divider />
          <Text>
            <Rich
              text="{quantity, plural, one {# unit} other {# units}} of {product_name} ({sku}) to put together"
              values={{
                quantity: quantity - quantity_completed - quantity_rejected,
                product_name,
                sku: <ThingLink id={product_sku_id}>{sku}</ThingLink>,
              }}
            />
          </Text>
          <ForOrders orders={for_orders} />
          {notes !== '' && <Text className="task-notes">{notes}</Text>}
          {wiki_article ? (
            <section aria-label={t('Instructions')}>
              <Title order={3}>
                <ThingLink id={wiki_article.id}>{wiki_article.title}</ThingLink>
              </Title>
              <Text className="task-notes" mt={4}>
                {wiki_article.content}
              </Text>
            </section>
          ) : (
            <Text size="sm" c="dimmed">
              {t('No published article says how.')}
            </Text>
          )}
        </Stack>
      )}
    </QueryView>
  )
}
