import { Button, Group, List, Stack, Text, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import type { DiscoveredPrinter, Hub } from '../../lib/api/api-schema.generated.ts'
import { rowsOf } from '../../lib/api/paged-query.ts'
import { families } from '../../lib/connections/connection-families.ts'
import { Rich } from '../../lib/i18n/rich.tsx'
import { serviceSentence } from '../../lib/i18n/service-sentence.ts'
import { t } from '../../lib/i18n/t.ts'
import { useMay } from '../../lib/session.ts'
import { toastFailed } from '../../ui/dialogs/toast.tsx'
import { FormProblem } from '../../ui/forms/form-problem.tsx'
import { useFormSubmit } from '../../ui/forms/use-form-submit.ts'
import { Icon } from '../../ui/icon.tsx'
import { LinkButton } from '../../ui/link-button.tsx'
import { EmptyState } from '../../ui/page/empty-state.tsx'
import { Panel } from '../../ui/page/panel.tsx'
import { QueryView } from '../../ui/page/query-view.tsx'
import { Time } from '../../ui/time.tsx'
import { foundPrintersQuery, lookOutcomeQuery, useSearchForPrinters } from './hubs.api.ts'
import './found-printer.css'

interface FoundPrintersProps {
  hub: Hub
  /** Adds a printer to the account: one that was found, or another. */
  onAdd: (found: DiscoveredPrinter | undefined) => void
}

/** Printers that the hub has found on its network, and ways to look further. */
export function FoundPrinters({ hub, onAdd }: FoundPrintersProps) {
  const mayAdd = useMay('write')
  const search = useSearchForPrinters(hub.id)
  const { isSearching, begin, words } = useSearchWords(hub)
  return (
    <Panel
      title={t('Found on its network')}
      actions={
        mayAdd && (
          <Group gap="xs">
            <Button
              variant="default"
              leftSection={<Icon name="search" size={16} />}
              loading={search.isPending || isSearching}
              disabled={!hub.is_online}
              onClick={() =>
                search.mutate(undefined, {
                  onSuccess: begin,
                  onError: (error) => toastFailed(t('{name} could not look around', { name: hub.name }), error),
                })
              }
            >
              {t('Search now')}
            </Button>
            <Button leftSection={<Icon name="plus" size={16} />} onClick={() => onAdd(undefined)}>
              {t('Add a printer')}
            </Button>
          </Group>
        )
      }
    >
      <div role="status">
        {words !== undefined && (
          <Text size="sm" mb="sm">
            {words}
          </Text>
        )}
      </div>
      {mayAdd && hub.is_online && <LookAtAddress hub={hub} />}
      <Candidates hub={hub} onAdopt={mayAdd ? onAdd : undefined} />
    </Panel>
  )
}

/** Printers answer an announcement within this time, or not at all. */
const searchMs = 8_000

/** How a search goes on and what it has found: the hub only tells of printers, never of an end. */
function useSearchWords(hub: Hub) {
  const rows = rowsOf(useInfiniteQuery(foundPrintersQuery(hub.id)).data) ?? []
  const [before, setBefore] = useState<ReadonlySet<string>>()
  const [isSearching, setIsSearching] = useState(false)
  useEffect(() => {
    if (!isSearching) return undefined
    const timer = setTimeout(() => setIsSearching(false), searchMs)
    return () => clearTimeout(timer)
  }, [isSearching])
  const news = before === undefined ? 0 : rows.filter(({ id }) => !before.has(id)).length
  const found = t('{news, plural, one {# new printer} other {# new printers}} found', { news })
  const words =
    before === undefined
      ? undefined
      : isSearching
        ? t('{name} searches its network … {found}.', {
            name: hub.name,
            found: news > 0 ? found : t('Nothing new yet'),
          })
        : news > 0
          ? `${found}.`
          : rows.length > 0
            ? t(
                'Nothing new: {count, plural, one {# printer on the network was} other {# printers on the network were}} known already.',
                { count: rows.length },
              )
            : t('No printer answered. Some are only found at a typed address.')
  const begin = () => {
    setBefore(new Set(rows.map(({ id }) => id)))
    setIsSearching(true)
  }
  return { isSearching, begin, words }
}

/** Not every printer announces itself, and announcements do not cross routers. */
function LookAtAddress({ hub }: { hub: Hub }) {
  const form = useForm({ mode: 'uncontrolled', initialValues: { address: '' } })
  const look = useSearchForPrinters(hub.id)
  const { submit, problem } = useFormSubmit({
    form,
    mutation: look,
    body: ({ address }) => address.trim(),
  })
  return (
    <form onSubmit={submit}>
      <Stack gap="xs" mb="md">
        <FormProblem problem={problem} />
        <Group align="flex-end" gap="xs">
          <TextInput
            label={t('Look at an address')}
            placeholder="192.168.1.20"
            required
            withAsterisk={false}
            maxLength={255}
            {...form.getInputProps('address')}
            key={form.key('address')}
          />
          <Button type="submit" variant="default" loading={look.isPending}>
            {t('Look there')}
          </Button>
        </Group>
        <div role="status">
          {look.isSuccess && look.variables !== undefined && <LookWords hub={hub} address={look.variables} />}
        </div>
      </Stack>
    </form>
  )
}

/** How far the look at an address has come: it takes some seconds, and may find nothing. */
function LookWords({ hub, address }: { hub: Hub; address: string }) {
  const { data: outcome } = useQuery(lookOutcomeQuery(hub.id))
  if (outcome?.address !== address)
    return <Text size="sm">{t('{name} looks at {address} …', { name: hub.name, address })}</Text>
  if (outcome.problem !== null) return <Text size="sm">{`${address}: ${serviceSentence(outcome.problem)}`}</Text>
  if (outcome.found === 0) {
    return (
      <Text size="sm">
        {t(
          'No printer answers at {address}. Is it switched on, and in the network of {name}? A printer with a port of its own is found as 192.168.1.20:7126.',
          { address, name: hub.name },
        )}
      </Text>
    )
  }
  return (
    <Text size="sm">
      {t('{found, plural, one {# printer} other {# printers}} found at {address}.', { found: outcome.found, address })}
    </Text>
  )
}

interface CandidatesProps {
  hub: Hub
  onAdopt: ((found: DiscoveredPrinter) => void) | undefined
}

function Candidates({ hub, onAdopt }: CandidatesProps) {
  const list = useInfiniteQuery(foundPrintersQuery(hub.id))
  if (!hub.is_online) {
    return (
      <Text c="dimmed">
        {t('Printers that {name} has found are listed while it is connected.', { name: hub.name })}
      </Text>
    )
  }
  return (
    <QueryView query={list} failed={t('The printers found could not be read')}>
      {(data) => {
        const rows = rowsOf(data) ?? []
        if (rows.length === 0) {
          return (
            <EmptyState icon="search" title={t('Nothing found yet')}>
              {t(
                'Search, or type the address of a printer. Creality printers, and those behind a router, are only found at a typed address.',
              )}
            </EmptyState>
          )
        }
        return (
          <Stack component="ul" gap={0} className="plain-list" aria-label={t('Found printers')}>
            {rows.map((found) => (
              <Candidate key={found.id} found={found} onAdopt={onAdopt} />
            ))}
          </Stack>
        )
      }}
    </QueryView>
  )
}

function Candidate({ found, onAdopt }: { found: DiscoveredPrinter; onAdopt: CandidatesProps['onAdopt'] }) {
  const { name, model, connection_type, address, port, serial, evidence, adopted_printer_id } = found
  const place = address === null ? undefined : port === null ? address : `${address}:${port}`
  const facts = [families[connection_type].label, model, place, serial && t('serial {serial}', { serial })].filter(
    Boolean,
  )
  return (
    <li className="found-printer">
      <div>
        <Text fw={600}>{name}</Text>
        <Text size="sm">{facts.join(' · ')}</Text>
        <List size="sm" c="dimmed">
          {evidence.map((sentence) => (
            <List.Item key={sentence}>{sentence}</List.Item>
          ))}
        </List>
        <Text size="sm" c="dimmed">
          <Rich text="Last seen {time}" values={{ time: <Time at={found.last_seen_at} /> }} />
        </Text>
      </div>
      {adopted_printer_id !== null ? (
        <LinkButton to="/printers/$printerId" params={{ printerId: adopted_printer_id }} variant="subtle">
          {t('In this farm')}
        </LinkButton>
      ) : (
        onAdopt && (
          <Button onClick={() => onAdopt(found)} aria-label={t('Adopt {name}', { name })}>
            {t('Adopt')}
          </Button>
        )
      )}
    </li>
  )
}
