import { Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import type { FileUses as Uses } from '../../lib/api/api-schema.generated.ts'
import { Rich } from '../../lib/i18n/rich.tsx'
import { t } from '../../lib/i18n/t.ts'
import { LinkText } from '../../ui/link-text.tsx'
import { ListRow } from '../../ui/lists/list-row.tsx'
import { Panel } from '../../ui/page/panel.tsx'
import { QueryView } from '../../ui/page/query-view.tsx'
import { ThingLink } from '../../ui/thing-link.tsx'
import { Time } from '../../ui/time.tsx'
import { fileUsesQuery } from './files.api.ts'

/** Where a file is used: the products and SKUs whose recipes print it, and its jobs. */
export function FileUses({ fileId }: { fileId: string }) {
  const uses = useQuery(fileUsesQuery(fileId))
  return (
    <Panel title={t('Recipes and jobs')}>
      <QueryView query={uses} failed={t('The recipes and jobs could not be read')}>
        {({ recipes, jobs }) => (
          <>
            {recipes.length === 0 ? (
              <Text size="sm" c="dimmed">
                {t('No recipe prints it. A recipe, added on the page of a product, sets the SKU that the file makes.')}
              </Text>
            ) : (
              <ul className="plain-list" aria-label={t('Recipes that print it')}>
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
                      <Rich
                        text="{sku} · {units_per_plate, plural, one {# unit} other {# units}} per plate"
                        values={{
                          sku: <ThingLink id={recipe.product_sku_id}>{recipe.sku ?? t('Every SKU')}</ThingLink>,
                          units_per_plate: recipe.units_per_plate,
                        }}
                      />
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
        <LinkText to="/queue">
          {t('{unfinished, plural, one {# job} other {# jobs}} in the queue or printing', {
            unfinished: jobs.unfinished,
          })}
        </LinkText>
      ) : (
        t('No job waits or prints')
      )}
      {' · '}
      {ended === 0 ? (
        t('never printed')
      ) : (
        <>
          <LinkText to="/history" search={{ file: fileId }}>
            {t('{completed, plural, one {# job} other {# jobs}} completed, {failed} failed', {
              completed: jobs.completed,
              failed: jobs.failed,
            })}
          </LinkText>
          <Rich text=", the last {time}" values={{ time: <Time at={jobs.last_ended_at} /> }} />
        </>
      )}
    </Text>
  )
}
