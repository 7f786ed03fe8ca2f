import { Kbd, Modal, Text, TextInput, VisuallyHidden } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { type KeyboardEvent, useEffect, useId, useMemo, useRef, useState } from 'react'
import { isSignedOut } from '../../lib/api/api-error.ts'
import { Rich } from '../../lib/i18n/rich.tsx'
import { t } from '../../lib/i18n/t.ts'
import { useSession } from '../../lib/session.ts'
import { Icon } from '../../ui/icon.tsx'
import { ErrorState } from '../../ui/page/error-state.tsx'
import { commandsOf, matchCommands } from './commands.ts'
import { type Entry, type EntryGroup, entriesOf } from './entries.ts'
import { leastLetters, searchQuery } from './search.api.ts'
import './find-dialog.css'

interface FindDialogProps {
  isOpen: boolean
  onClose: () => void
}

/** Finds things of the farm, pages and actions by a few characters, and goes there. */
export function FindDialog({ isOpen, onClose }: FindDialogProps) {
  return (
    <Modal
      opened={isOpen}
      onClose={onClose}
      title={t('Find anything')}
      size="lg"
      yOffset="8vh"
      classNames={{ body: 'find-body', content: 'find-content' }}
      transitionProps={{ duration: 0 }}
    >
      <Finder onDone={onClose} />
    </Modal>
  )
}

function Finder({ onDone }: { onDone: () => void }) {
  const session = useSession()
  const navigate = useNavigate()
  const listId = useId()
  const [text, setText] = useState('')
  const [active, setActive] = useState(0)
  const [isEager, setIsEager] = useState(false)
  const sought = text.trim()
  const [asked] = useDebouncedValue(sought, 150)
  const query = useQuery(searchQuery(asked))
  const isSearching = sought.length >= leastLetters
  const isStale = isSearching && (asked !== sought || query.isPlaceholderData || query.isFetching)

  const groups = useMemo((): EntryGroup[] => {
    const { actions, pages } = commandsOf(session)
    if (sought === '') return [group(t('Actions'), actions), group(t('Pages'), pages)]
    const commands = group(t('Actions and pages'), matchCommands([...actions, ...pages], sought))
    const hits = isSearching && query.data ? entriesOf(query.data, asked) : []
    return [commands, ...hits].filter(({ entries }) => entries.length > 0)
  }, [session, sought, asked, isSearching, query.data])
  const entries = groups.flatMap((each) => each.entries)
  const at = Math.min(active, entries.length - 1)
  const chosen = entries[at]

  const follow = ({ href }: Entry) => {
    onDone()
    void navigate({ href })
  }
  // Anyone who presses Enter before the answer is there means the first of what will be found.
  const isAwaited = isEager && !isStale
  useEffect(() => {
    if (!isAwaited) return
    setIsEager(false)
    if (chosen) follow(chosen)
  })

  const press = (event: KeyboardEvent) => {
    const steps: Record<string, number> = { ArrowDown: at + 1, ArrowUp: at - 1, PageDown: at + 5, PageUp: at - 5 }
    const step = steps[event.key]
    if (step !== undefined && entries.length > 0) {
      event.preventDefault()
      const isPage = event.key.startsWith('Page')
      setActive(isPage ? Math.max(0, Math.min(step, entries.length - 1)) : (step + entries.length) % entries.length)
    }
    // The Enter that ends a composed character is none of ours.
    if (event.key !== 'Enter' || event.nativeEvent.isComposing) return
    event.preventDefault()
    if (isStale && !chosen?.key.startsWith('action') && !chosen?.key.startsWith('page')) setIsEager(true)
    else if (chosen) follow(chosen)
  }

  const isEmpty = isSearching && !isStale && entries.length === 0 && query.error == null
  return (
    <>
      <TextInput
        data-autofocus
        aria-label={t('Search terms')}
        placeholder={t('Printer, job, order, SKU, page…')}
        maxLength={120}
        size="md"
        leftSection={<Icon name="search" size={18} />}
        value={text}
        onChange={({ currentTarget }) => {
          setText(currentTarget.value)
          setActive(0)
          setIsEager(false)
        }}
        onKeyDown={press}
        role="combobox"
        aria-expanded={entries.length > 0}
        aria-controls={listId}
        aria-autocomplete="list"
        aria-activedescendant={chosen ? `${listId}-${at}` : undefined}
        autoComplete="off"
        spellCheck={false}
      />
      <VisuallyHidden role="status">{said(isSearching, isStale, entries.length)}</VisuallyHidden>
      {isSearching && query.error != null && !isSignedOut(query.error) && (
        <ErrorState
          error={query.error}
          title={t('The farm could not be searched')}
          onRetry={() => void query.refetch()}
        />
      )}
      {isStale && query.data === undefined && (
        <Text size="sm" c="dimmed" p="xs">
          {t('Searching…')}
        </Text>
      )}
      {isEmpty && (
        <Text size="sm" p="xs">
          {t(
            'No results. A name is found by any part of it, an order by its number, customer, SKU or tracking number.',
          )}
        </Text>
      )}
      <div role="listbox" id={listId} aria-label={t('Found')} className="find-list" data-stale={isStale || undefined}>
        {groups.map(({ label, entries: its }) => (
          <EntryList
            key={label}
            label={label}
            entries={its}
            firstIndex={entries.indexOf(its[0] as Entry)}
            listId={listId}
            active={at}
            onFollow={follow}
          />
        ))}
      </div>
      <Text size="xs" c="dimmed" className="find-keys" aria-hidden="true">
        <Rich
          text="{up} {down} to choose · <enter>Enter</enter> to open · <escape>Esc</escape> to close"
          values={{
            up: <Kbd size="xs">↑</Kbd>,
            down: <Kbd size="xs">↓</Kbd>,
            enter: (words) => <Kbd size="xs">{words}</Kbd>,
            escape: (words) => <Kbd size="xs">{words}</Kbd>,
          }}
        />
      </Text>
    </>
  )
}

const group = (label: string, entries: Entry[]): EntryGroup => ({ label, entries })

function said(isSearching: boolean, isStale: boolean, count: number): string {
  if (!isSearching) return ''
  if (isStale) return t('Searching')
  return count === 1 ? t('1 found') : t('{count} found', { count })
}

interface EntryListProps extends EntryGroup {
  firstIndex: number
  listId: string
  active: number
  onFollow: (entry: Entry) => void
}

function EntryList({ label, entries, firstIndex, listId, active, onFollow }: EntryListProps) {
  const labelId = useId()
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset is no part of a listbox
    <div role="group" aria-labelledby={labelId}>
      <div id={labelId} role="presentation" className="find-group">
        {label}
      </div>
      {entries.map((entry, index) => (
        <EntryOption
          key={entry.key}
          entry={entry}
          id={`${listId}-${firstIndex + index}`}
          isActive={firstIndex + index === active}
          onFollow={onFollow}
        />
      ))}
    </div>
  )
}

interface EntryOptionProps {
  entry: Entry
  id: string
  isActive: boolean
  onFollow: (entry: Entry) => void
}

/** The focus stays in the field; the keys for it are there. */
function EntryOption({ entry, id, isActive, onFollow }: EntryOptionProps) {
  const own = useRef<HTMLDivElement>(null)
  useEffect(() => {
    if (isActive) own.current?.scrollIntoView({ block: 'nearest' })
  }, [isActive])
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents lint/a11y/useFocusableInteractive: the focus stays in the field
    <div
      ref={own}
      id={id}
      role="option"
      aria-selected={isActive}
      className="find-entry touch-target"
      onClick={() => onFollow(entry)}
      onMouseDown={(event) => event.preventDefault()}
    >
      <Icon name={entry.icon} size={18} />
      <span className="find-label">{entry.label}</span>
      <span className="find-detail">{entry.detail}</span>
    </div>
  )
}
