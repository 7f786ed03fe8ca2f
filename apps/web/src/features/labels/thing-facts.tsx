import { useQuery } from '@tanstack/react-query'
import { t } from '../../lib/i18n/t.ts'
import { PageHeader } from '../../ui/page/page-header.tsx'
import { Panel } from '../../ui/page/panel.tsx'
import { QueryView } from '../../ui/page/query-view.tsx'
import { LabelButton } from './label-button.tsx'
import type { LabelItem } from './label-items.ts'
import { thingFactsQuery } from './labels.api.ts'
import './thing-facts.css'

/** A thing that has no page of its own: what is known of it. */
export function ThingFacts({ item }: { item: LabelItem }) {
  const known = useQuery(thingFactsQuery(item))
  return (
    <QueryView query={known} failed={t('The subject of this label could not be read')}>
      {({ thing, facts }) => (
        <>
          <PageHeader title={thing.name} description={thing.detail} actions={<LabelButton items={[item]} />} />
          <Panel>
            <dl className="thing-facts">
              {facts.map(([label, value]) => (
                <div key={label} className="thing-fact">
                  <dt>{label}</dt>
                  <dd>{value}</dd>
                </div>
              ))}
            </dl>
          </Panel>
        </>
      )}
    </QueryView>
  )
}
