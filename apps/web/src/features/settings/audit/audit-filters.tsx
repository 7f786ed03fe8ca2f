import { Button, Select, SimpleGrid, TextInput } from '@mantine/core'
import { useId } from 'react'
import { t } from '../../../lib/i18n/t.ts'
import { eventWords } from '../../../lib/words/event-words.ts'

/** What the address of the page holds; days as `2026-05-04`. */
export interface AuditSearch {
  actor?: string
  type?: string
  subject?: string
  from?: string
  to?: string
}

interface AuditFilterProps {
  search: AuditSearch
  onChange: (search: AuditSearch) => void
  /** Those who can have done something: value and name. */
  actors: readonly { value: string; label: string }[]
  /** Types of events to choose from. */
  types: readonly string[]
}

export function AuditFilterBar({ search, onChange, actors, types }: AuditFilterProps) {
  const id = useId()
  const set = (change: Partial<Record<keyof AuditSearch, string | null>>) => {
    const entries = Object.entries({ ...search, ...change }).filter(([, value]) => value)
    onChange(Object.fromEntries(entries))
  }
  const isFiltered = Object.keys(search).length > 0
  const allTypes = [...new Set([...types, ...(search.type ? [search.type] : [])])].sort()
  const allActors =
    actors.some(({ value }) => value === search.actor) || !search.actor
      ? actors
      : [...actors, { value: search.actor, label: search.actor }]
  return (
    <SimpleGrid cols={{ base: 1, xs: 2, md: 3, lg: 5 }} spacing="sm" mb="md" role="search">
      <Select
        label={t('Actor')}
        placeholder={t('Everybody')}
        data={[...allActors]}
        value={search.actor ?? null}
        onChange={(actor) => set({ actor })}
        clearable
        searchable
      />
      <Select
        label={t('Event')}
        placeholder={t('Everything')}
        data={allTypes.map((value) => ({ value, label: eventWords(value) }))}
        value={search.type ?? null}
        onChange={(type) => set({ type })}
        clearable
        searchable
      />
      <TextInput
        key={`${id}-${search.subject ?? ''}`}
        label={t('ID of the thing')}
        placeholder="job_…"
        defaultValue={search.subject ?? ''}
        onBlur={(event) => set({ subject: event.currentTarget.value.trim() })}
        onKeyDown={(event) => {
          if (event.key === 'Enter') set({ subject: event.currentTarget.value.trim() })
        }}
      />
      <TextInput
        label={t('From')}
        type="date"
        value={search.from ?? ''}
        {...(search.to && { max: search.to })}
        onChange={(event) => set({ from: event.currentTarget.value })}
      />
      <TextInput
        label={t('To')}
        type="date"
        value={search.to ?? ''}
        {...(search.from && { min: search.from })}
        onChange={(event) => set({ to: event.currentTarget.value })}
      />
      {isFiltered && (
        <Button variant="default" onClick={() => onChange({})}>
          {t('Show everything')}
        </Button>
      )}
    </SimpleGrid>
  )
}
