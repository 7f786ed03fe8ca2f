import { useState } from 'react'

/** A line for the terminal, with a button that copies it. `purpose` says what it does, for the button's name. */
export function Command({ line, purpose }: { line: string; purpose: string }) {
  const [outcome, setOutcome] = useState('')

  async function copy() {
    try {
      // Undefined on a page that came over plain HTTP from another machine.
      await navigator.clipboard.writeText(line)
      setOutcome('Copied')
    } catch {
      setOutcome('Select the line and copy it by hand')
    }
  }

  return (
    <div className="command">
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a long line scrolls sideways, and must do so by keyboard too */}
      <pre tabIndex={0}>
        <code>{line}</code>
      </pre>
      <button type="button" className="quiet" onClick={() => void copy()} aria-label={`Copy the command to ${purpose}`}>
        Copy
      </button>
      <span className="command-outcome" role="status">
        {outcome}
      </span>
    </div>
  )
}
