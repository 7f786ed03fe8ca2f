/**
 * The words that may stand in a log line of a support bundle: those of the messages of this program, of PostgreSQL and of Node. Every other
 * word is left out, so that a name, an address or a token cannot pass, wherever it stands. A new message with a word that
 * is missing here loses that word in bundles, no more.
 */
export const logWords: ReadonlySet<string> = new Set(
  `
  anything heard counts parts other soon whether sealed installation smtp mqtt alone bucket counted limits rate redis broker goodbye publishing noted tokens notices arrive memories confirmed former served
  a abandoned aborted agrees plug aborting about accept accepted accepting access account action add added address addresses
  administrator after afterwards again all allocate allocation allow allowed already although an and another
  answer answered answers any apart api-key-file app appended applied archived are argon arrays arrived article as
  ask asked asks assertion assigned associated at attempt attempts attribute authenticator authorization
  autovacuum available away back backend background backup backups batch be bears became because become bed before
  began begin begins behind being believed between binary bind block blocks body box boxes brings broke broken
  browser buffer builds built bundled busy but by byte bytes cache call called came camera can cancel canceled
  canceling cancelled cancelling cannot carried carry catch certificate chamber change changed changer changes
  channel characters checked checkpoint checkpointer checksum child choose chosen ci cleared client clients clock
  close closed closes cluster code codes collection colour column columns com come comes command commands commas
  compacted compare complete completed component concurrent condition confirm conflict connect connected
  connecting connection connections connects consistent constraint container content context continued
  contradictory control cookie cooling copied copy corrupted could count cpu crash create created credentials
  current cursor cut cycle damaged dashboard data database date days dead deadline deadlock decrypted delayed
  deliveries denied dependent deprecated described detail details detected developer device did differ different
  differs digits directory disconnected disconnecting discovery disk do does done down download driver dropped due
  dump dynamic e-mail each earlier effect ejection else elsewhere empty encrypted encryption end ended ends enough
  enter entered entry epipe escaped established event events ever example example-values examples exclusive
  exhausted exist exists exit exited expected expired extend extension factor failed fails failure family farm
  farms fast fatal faulty fell fetch fetched fewer fields fil filament filaments file files final finding
  fingerprint finished finishing firmware first fit folder followed follows for force foreign forget fork form
  found frame free from fsync fulfil fulfilled full function g-code gaps garbage gate gave gcode get getaddrinfo
  give given gives glibc go goes gone good groups hand handler handling handshake hang hangs harder has hash have
  header headers health heap heartbeat heat heater heating held here hex hexadecimal hint hold holder holds host
  hours how http https hub hubs id idle ignored images immediate in include incomplete incorrect index inode input
  insert inside installed instead insufficient int integer interrupted interval into invalid inventory invitation
  is issuer it item its job jobs join journal json just kept key keys kill killed know known knows lacks lagging
  lan large larger last later layout leaked least leave left length let level levels library lies light like limit
  line lines link links list listening listens live local lock locked locks log logged logger login logs long
  longer look looked lookup loop lost machine macro made mail main major make makes manifest many map material
  maximum may meanwhile member memory message method mf migrated migrates migrating migration migrations minimal
  minutes misses missing mode model module moment more most mounted moved movement ms musl must name names near
  needed needs neither network new newer newest next no none nor not nothing notification notifications now nozzle
  npm null number numbered numbers object obtain occurred of off offline offset older on once one online only open
  opened operation optional or order orders origin others out outlived output outside over overflow overloaded
  overtaken overwritten owner packages packaging page pages parallel parameters parent parse part pass passed
  passkey passphrase passphrase-file password passwords path pause paused periodic permanently permission
  permitted person picture pictures pid piece pinned pipe plain plate plates points pong pool port possible
  postgres postmaster prepared present print printed printer printer's printers printing prints printyard probably
  probe process processes product promise protocol provider published push put query question queue quota range
  reach reachable reached read ready receive received receiving recipe reconnect reconnected reconnecting record
  recorded recovering recovery redo refers refused refuses register rejection relation released remember remove
  removed removing renumbered replication report reported reports request requested requests required reset
  resolve resource resources response restarted restore restored resumed retries retry retrying revoked right role
  roll rollback room root rotated rotation routes row row-types rows rule run running runout runs runtime said
  same savepoint say says scan schedule schema schemas scope screen second seconds secret see seen segment select
  self-signed semaphore send sending sends sent sequence serial serialize server serves service services session
  set set-up setting settings settle settled several shared shop shortages shorter shortly should show shown shows
  shut shutdown sign sign-in sign-ins signal signed sigterm silent simulated since single size skew sku sleep
  slice sliced slot slots slow slug small-machine smart snapshot so socket some something space spaces special
  spool sql sslmode stack stale stalled stand standard stands start started starting startup statement statistics
  status stays still stock stop stopped stops storage store stored stream streams string subscription such sum
  sunset supported switched syntax system table tables take taken takes task telemetry tell temporary terminal
  terminate terminated terminating test tested text than that the their them then there these they this those
  thread tidied time timed timeout timestamp title to together token told too took tool torn transaction transfer
  transferring tried trigger trouble true truncate try trying ts tuple turn two type typed unable unavailable
  undefined under understood unexpected unexpectedly unhandled unique units unknown unnest unreachable unsupported
  until up update upgrade upgraded upload uploaded uploading uploads upon url us usage use used user users uses
  vacuum valid value values verification verify verify-full version versions view violates virtual visible wait
  waited waiting waits wal walwriter warning was watched way web webcam webhook webhooks websocket welcome
  welcomed went were what when where which while who whole why will with withdrawn within without work worker
  worklist works would wrap writable write writer written wrong wrote yes yet yields you your zero
  `
    .trim()
    .split(/\s+/),
)

/** Words that are written so wherever they stand. */
export const properWords: ReadonlySet<string> = new Set(
  (
    'PostgreSQL OctoPrint Moonraker PrusaLink Klipper Printyard TLS SSL HTTP HTTPS JSON WAL FATAL PANIC ERROR LOG ' +
    'WARNING SQL API ID IDs DNS TCP UDP MQTT FTPS FTP SMTP MCP CPU RAM MB KB GB UTF-8 UNENCRYPTED WITHOUT Node V8'
  ).split(' '),
)
