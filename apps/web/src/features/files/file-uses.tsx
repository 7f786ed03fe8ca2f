import { Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import type { FileUses as Uses } from '../../lib/api/api-schema.generated.ts'
import { formatAmount } from '../../lib/format.ts'
import { LinkText } from '../../ui/link-text.tsx'
import { ListRow } from '../../ui/lists/list-row.tsx'
import { Panel } from '../../ui/page/panel.tsx'
import { QueryView } from '../../ui/page/query-view.tsx'
import { Time } from '../../ui/time.tsx'
import { fileUsesQuery } from './files.api.ts'

/** Where a file is used: the products and SKUs whose recipes print it, and its jobs. */
export function FileUses({ fileId }: { fileId: string }) {
  const uses = useQuery(fileUsesQuery(fileId))
  return (
    <Panel title="Where it is used">
      <QueryView query={uses} failed="Where it is used could not be read">
        {({ recipes, jobs }) => (
          <>
            {recipes.length === 0 ? (
              <Text size="sm" c="dimmed">
                No recipe prints it. A recipe on the page of a product says what the file makes.
              </Text>
            ) : (
              <ul className="plain-list" aria-label="Recipes that print it">
                {recipes.map((recipe) => (
                  <ListRow
                    key={recipe.id}
                    title={
                      <LinkText to="/products/$productId" params={{ productId: recipe.product_id }} fw={600}>
                        {recipe.product_name}
                      </LinkText>
                    }
                  >
                    <Text size="sm" c="dimmed">
                      {recipe.sku ?? 'Every SKU'} · {formatAmount(recipe.units_per_plate, 'unit')} per plate
                    </Text>
                  </ListRow>
                ))}
              </ul>
            )}
            <JobsLine fileId={fileId} jobs={jobs} />
          </>
        )}
      </QueryView>
    </Panel>
  )
}

function JobsLine({ fileId, jobs }: { fileId: string; jobs: Uses['jobs'] }) {
  const ended = jobs.completed + jobs.failed
  return (
    <Text size="sm" mt="sm">
      {jobs.unfinished > 0 ? (
        <LinkText to="/queue">{formatAmount(jobs.unfinished, 'job')} in the queue or printing</LinkText>
      ) : (
        'No job waits or prints'
      )}
      {' · '}
      {ended === 0 ? (
        'never printed'
      ) : (
        <>
          <LinkText to="/history" search={{ file: fileId }}>
            {formatAmount(jobs.completed, 'job')} completed, {jobs.failed} failed
          </LinkText>
          , the last <Time at={jobs.last_ended_at} />
        </>
      )}
    </Text>
  )
}
