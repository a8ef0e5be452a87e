'use strict';
// The page of an application that runs. All texts go through textContent: names may hold anything.

const $ = id => document.getElementById(id);
const kHistory = 300;          // points of a chart, one a second
const kHangAfter = 3000;       // ms in the same tick
const kRateOver = 2000;        // ms over which rates are taken
const kTextEvery = 500;        // ms between changes of what people read
const kMostLines = 500;        // of the log

const state = {
  status: null, graph: null, narrow: null, end: null, lost: false,
  samples: [],                 // {time, ticks: Map, total}
  since: new Map(),            // entity: {ticks, time} of its last tick
  history: [], chosen: null, log: 0, sort: null, drawn: 0,
};

function element(name, properties = {}, ...children) {
  const made = document.createElement(name);
  Object.assign(made, properties);
  made.append(...children);
  return made;
}
function drawn(name, attributes = {}, text) {
  const made = document.createElementNS('http://www.w3.org/2000/svg', name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  if (text !== undefined) made.textContent = text;
  return made;
}

// --- numbers ---------------------------------------------------------------------------------

function short(value) {
  if (value === null || value === undefined || !isFinite(value)) return '–';
  for (const [unit, size] of [['G', 1e9], ['M', 1e6], ['k', 1e4]]) {
    if (value >= size) return digits(value / (unit === 'k' ? 1e3 : size)) + ' ' + unit;
  }
  return digits(value);
}
function digits(value) {
  return value >= 100 || Number.isInteger(value) ? String(Math.round(value)) : value.toPrecision(value < 1 ? 2 : 3).replace(/\.?0+$/, '');
}
const perSecond = value => value === null ? '–' : short(value) + '/s';
function duration(ns) {
  if (ns === null || ns === undefined) return '–';
  for (const [unit, size] of [['s', 1e9], ['ms', 1e6], ['µs', 1e3]]) {
    if (ns >= size) return digits(ns / size) + ' ' + unit;
  }
  return Math.round(ns) + ' ns';
}
function bytes(value) {
  if (value === null || value === undefined) return '–';
  for (const [unit, size] of [['GiB', 2 ** 30], ['MiB', 2 ** 20], ['KiB', 2 ** 10]]) {
    if (value >= size) return digits(value / size) + ' ' + unit;
  }
  return value + ' B';
}
function elapsed(ns) {
  const s = ns / 1e9, two = value => String(Math.floor(value)).padStart(2, '0');
  if (s < 60) return s.toFixed(1) + ' s';
  return s < 86400 ? `${Math.floor(s / 3600)}:${two(s / 60 % 60)}:${two(s % 60)}` : `${Math.floor(s / 86400)} d ${two(s / 3600 % 24)} h`;
}
const grouped = value => value.toLocaleString('en').replaceAll(',', '\u202f');

// --- what comes ------------------------------------------------------------------------------

function connect() {
  const source = new EventSource('api/events');
  source.addEventListener('status', event => take(JSON.parse(event.data)));
  source.addEventListener('end', event => { source.close(); finish(JSON.parse(event.data)); });
  source.onerror = () => {
    state.lost = true;
    showHeader();
    if (source.readyState === EventSource.CLOSED) setTimeout(connect, 2000);
  };
}

async function ask(address, options) {
  const answer = await fetch(address, options);
  const json = await answer.json();
  if (!answer.ok) throw new Error(json.error || `status ${answer.status}`);
  return json;
}

function take(status) {
  if (state.status && state.status.process !== status.process) return location.reload();
  if (state.end) return location.reload();
  const now = performance.now();
  state.status = status;
  state.lost = false;
  sample(status, now);
  if (status.log !== state.log) fetchLog();
  if (now - state.drawn >= kTextEvery) show(now);
}

/// Rates come from what was counted in the last moments.
function sample(status, now) {
  const ticks = new Map();
  let total = 0;
  const arrived = new Map();
  for (const entity of status.entities) {
    ticks.set(entity.entity, entity.ticks);
    for (const queue of entity.queues) if (queue.arrived !== null) arrived.set(queue.queue, queue.arrived);
    total += entity.ticks;
    const last = state.since.get(entity.entity);
    if (!last || last.ticks !== entity.ticks) state.since.set(entity.entity, {ticks: entity.ticks, time: now});
  }
  state.samples.push({time: now, ticks, arrived, total});
  while (state.samples.length > 2 && now - state.samples[1].time > kRateOver) state.samples.shift();
  const last = state.history.at(-1);
  if (!last || now - last.time >= 1000) {
    state.history.push({time: now, rates: new Map([...ticks.keys()].map(name => [name, rate(name)])), total: rateOfAll()});
    if (state.history.length > kHistory) state.history.shift();
    showChart();
  }
}
function between(count) {
  const first = state.samples[0], last = state.samples.at(-1);
  if (!first || last.time - first.time < 300) return null;
  const from = count(first), to = count(last);
  return from === undefined || to === undefined ? null : Math.max(0, to - from) * 1000 / (last.time - first.time);
}
const rate = name => between(each => each.ticks.get(name));
const rateInto = queue => between(each => each.arrived.get(queue));
const rateOfAll = () => between(each => each.total);

/// "active", "waiting", "finished", "not-started" or "bad".
function lookOf(entity) {
  if (failureOf(entity.entity) || hangOf(entity)) return 'bad';
  if (state.end) return 'finished';
  if (entity.state === 'finished' || entity.state === 'not-started') return entity.state;
  const last = state.since.get(entity.entity);
  const ticks = last && last.ticks > 0 && performance.now() - last.time < 1500;
  return ticks || entity.state === 'running' ? 'active' : 'waiting';
}
function failureOf(name) {
  return state.end && (state.end.failures || []).find(failure => failure.entity === name);
}
/// A call that goes on while its entity does not tick.
function hangOf(entity) {
  const call = (state.status.calls || []).find(each => each.includes(`entity '${entity.entity}'`));
  const last = state.since.get(entity.entity);
  return !state.end && call && last && performance.now() - last.time > kHangAfter ? call : null;
}
function wordsOf(entity) {
  const failure = failureOf(entity.entity);
  if (failure) return 'failed: ' + (failure.text || failure.message || '');
  const call = hangOf(entity);
  if (call) return `hangs in ${call} for ${elapsed((performance.now() - state.since.get(entity.entity).time) * 1e6)}`;
  if (entity.state === 'waiting') return entity.reasons.join('; ') || 'waits';
  return {'not-started': 'has not started', queued: 'is to be looked at', running: 'runs', ready: 'is ready', finished: 'has finished'}[entity.state] || 'not known';
}
const entityOf = name => state.status && state.status.entities.find(each => each.entity === name);
const allQueues = () => state.status.entities.flatMap(each => each.queues);

function finish(report) {
  state.end = report;
  addLines(report.log);
  const failures = (report.failures || []).map(each => each.entity ? `${each.entity}: ${each.text || each.message || ''}` : each.text || each.message || '');
  const banner = $('banner');
  banner.hidden = false;
  banner.className = report.reason === 'completed' ? 'banner' : report.reason === 'interrupted' ? 'banner' : 'banner bad';
  banner.textContent = [`The application has ended: ${report.reason}.`, report.detail, ...failures].filter(Boolean).join('\n');
  show(performance.now());
  connect();  // it may be started again
}

// --- header, tables --------------------------------------------------------------------------

function show(now) {
  state.drawn = now;
  showHeader();
  showEntities();
  showQueues();
  showPaths();
  showGraphs();
  showAllocators();
  showGraph();
  showDetailState();
}

function showHeader() {
  const status = state.status, phase = $('phase');
  const word = state.end ? state.end.reason : state.lost ? 'no connection' : status ? status.state : 'connecting';
  phase.textContent = word;
  phase.className = 'pill ' + (['failed', 'deadlock', 'no connection'].includes(word) ? 'bad' : ['running', 'completed'].includes(word) ? 'good' : '');
  if (!status) return;
  document.title = `${status.name} · ${word}`;
  $('name').textContent = status.name;
  $('elapsed').textContent = elapsed(status.elapsed_ns);
  $('rate').textContent = state.end ? '–' : short(rateOfAll());
  $('ticks').textContent = grouped(status.entities.reduce((sum, each) => sum + each.ticks, 0));
  $('executor').textContent = status.executor || '–';
  $('process').textContent = status.process;
  const silent = (status.silent_ranks || []).map(rank => `rank ${rank} does not answer`);
  $('entities-note').textContent = [status.entities.length, ...silent].join(', ');
}

/// Rows keep their place, so that text under the pointer stays.
function fill(table, columns, rows) {
  let head = table.tHead;
  const titles = columns.map(each => each.title).join('|');
  if (!head || table.dataset.titles !== titles) {
    table.replaceChildren();
    table.dataset.titles = titles;
    head = table.createTHead().insertRow();
    for (const column of columns) head.append(element('th', {textContent: column.title, className: column.kind || '', scope: 'col'}));
    table.createTBody();
  }
  const body = table.tBodies[0];
  while (body.rows.length > rows.length) body.deleteRow(-1);
  rows.forEach((row, i) => {
    const shown = body.rows[i] || body.insertRow();
    shown.className = row.className || '';
    shown.onclick = row.choose || null;
    columns.forEach((column, j) => {
      const cell = shown.cells[j] || shown.insertCell();
      const value = column.value(row);
      const text = typeof value === 'string' ? value : value.text;
      const className = [column.kind || '', typeof value === 'string' ? '' : value.className || ''].join(' ').trim();
      if (cell.className !== className) cell.className = className;
      const key = typeof value === 'string' ? text : JSON.stringify(value);
      if (cell.dataset.key === key) return;
      cell.dataset.key = key;
      cell.replaceChildren();
      if (value.dot) cell.append(element('i', {className: 'dot ' + value.dot}));
      if (value.part !== undefined) cell.append(bar(value.part));
      cell.append(text);
    });
  });
}
function bar(part) {
  const inner = element('i');
  inner.style.width = Math.round(Math.min(1, part) * 100) + '%';
  return element('span', {className: part >= 1 ? 'bar full' : 'bar'}, inner);
}
const times = (title, read) => [['p50', 'p50_ns'], ['p99', 'p99_ns'], ['max', 'longest_ns']].map(([name, key]) => (
    {title: `${title} ${name}`, kind: title !== 'age' && name !== 'p50' ? 'number rare' : 'number', value: row => read(row) ? duration(read(row)[key]) : ''}));

function showEntities() {
  const entities = state.status.entities;
  const columns = [
    {title: 'entity', kind: 'name', value: row => ({text: row.entity, dot: row.look})},
    ...(state.status.ranks ? [{title: 'rank', kind: 'number rare', value: row => row.rank}] : []),
    {title: 'ticks', kind: 'number rare', value: row => grouped(row.ticks)},
    {title: 'a second', kind: 'number', value: row => state.end ? '–' : short(rate(row.entity))},
    ...times('tick', row => row.times),
    {title: 'state', kind: 'state', value: row => row.words},
  ];
  fill($('entities'), columns, entities.map(each => {
    const look = lookOf(each);
    return {...each, look, words: wordsOf(each), choose: () => choose(each.entity),
            className: `link ${look === 'bad' ? 'bad' : ''} ${each.entity === state.chosen ? 'chosen' : ''}`};
  }));
}

function showQueues() {
  const queues = allQueues();
  $('queues-card').hidden = queues.length === 0;
  const known = value => value === null || value === undefined ? '?' : grouped(value);
  const columns = [
    {title: 'queue', kind: 'name', value: row => row.queue},
    {title: 'messages', kind: 'content', value: row => ({text: `${known(row.messages)} of ${known(row.capacity)}`, part: partOf(row)})},
    {title: 'a second', kind: 'number', value: row => state.end || row.arrived === null ? '' : short(rateInto(row.queue))},
    {title: 'peak', kind: 'number rare', value: row => row.peak === null ? '' : known(row.peak)},
    ...times('wait', row => row.waiting),
    {title: 'dropped', kind: 'number', value: row => ({text: known(row.dropped), className: row.dropped ? 'warn' : ''})},
  ];
  fill($('queues'), columns, queues);
}
const partOf = queue => queue && queue.capacity ? (queue.messages || 0) / queue.capacity : 0;

function showPaths() {
  const paths = state.status.paths || [];
  $('paths-card').hidden = paths.length === 0;
  document.querySelector('main').classList.toggle('no-paths', paths.length === 0 && !(state.status.allocators || []).length);
  fill($('paths'), [
    {title: 'from', kind: 'name', value: row => row.source}, {title: 'to', kind: 'name', value: row => row.sink},
    ...times('age', row => row.age)], paths);
  $('paths-note').textContent = state.status.ages_left_out ? 'further paths are left out' : "from the source's tick to the sink";
}

/// CUDA graphs, each with its operators below it.
function showGraphs() {
  const graphs = state.status.graphs || [];
  $('graphs-card').hidden = graphs.length === 0;
  const mean = (total, count) => count ? duration(total / count) : '–';
  const rows = graphs.flatMap(graph => [
    {name: graph.region, iterations: graph.iterations, mean: mean(graph.measured_ns, graph.measured), longest: ''},
    ...graph.operators.map(each => ({name: '\u2003' + each.entity, entity: each.entity, mean: mean(each.total_ns, each.runs),
                                     longest: each.runs ? duration(each.longest_ns) : '–'}))]);
  fill($('graphs'), [
    {title: 'graph, operator', kind: 'name', value: row => row.name},
    {title: 'iterations', kind: 'number', value: row => row.iterations === undefined || row.iterations === null ? '' : grouped(row.iterations)},
    {title: 'mean', kind: 'number', value: row => row.mean},
    {title: 'longest', kind: 'number', value: row => row.longest}],
    rows.map(row => row.entity ? {...row, className: 'link', choose: () => choose(row.entity)} : row));
  const measured = graphs.some(graph => graph.measured > 0);
  $('graphs-note').textContent = measured ? 'time on the GPU, last measured iterations' : 'instrument_every of the GraphExecutor measures operators';
}

function showAllocators() {
  const allocators = state.status.allocators || [];
  $('allocators-card').hidden = allocators.length === 0;
  fill($('allocators'), [
    {title: 'allocator', kind: 'name', value: row => row.allocator},
    {title: 'in use', kind: 'number', value: row => bytes(row.bytes)},
    {title: 'peak', kind: 'number', value: row => bytes(row.peak_bytes)}], allocators);
}

// --- graph -----------------------------------------------------------------------------------

const kPlaceholder = '00 of 00, 000 ms', kEdgePlaceholder = '00.0 k/s, 00 of 00, 000 ms';

async function fetchGraph() {
  const narrow = window.innerWidth < 620;
  if (state.narrow === narrow) return;
  state.narrow = narrow;
  try {
    state.graph = await ask(narrow ? 'api/graph?narrow' : 'api/graph');
  } catch (error) {
    state.narrow = null;
    setTimeout(fetchGraph, 1000);
    return;
  }
  const picture = state.graph.svg ? parsePicture(state.graph.svg) : layOut(state.graph, narrow);
  $('graph').replaceChildren(picture);
  const [, , width, height] = picture.getAttribute('viewBox').split(' ').map(Number);
  document.querySelector('main').classList.toggle('tall', height > width);
  findParts(picture);
  if (state.status) showGraph();
}

function parsePicture(text) {
  const picture = document.importNode(new DOMParser().parseFromString(text, 'image/svg+xml').documentElement, true);
  const width = parseFloat(picture.getAttribute('width')) * 4 / 3;
  picture.removeAttribute('height');
  picture.setAttribute('width', Math.round(width));
  picture.style.minWidth = Math.round(Math.min(width, width * .62)) + 'px';
  for (const group of picture.querySelectorAll('g.node')) {
    const index = Number(group.querySelector('title').textContent.slice(1));
    group.dataset.index = index;
    const texts = [...group.querySelectorAll('text')];
    const live = texts.find(each => each.textContent.replace(/\u00a0/g, ' ') === kPlaceholder);
    if (live) live.classList.add('live');
    texts.filter(each => each !== live && state.graph.nodes[index].types.includes(each.textContent)).forEach(each => each.classList.add('type'));
  }
  for (const group of picture.querySelectorAll('g.edge')) {
    group.dataset.index = Number(group.id.slice(4)) - 1;
    const live = [...group.querySelectorAll('text')].find(each => each.textContent.replace(/\u00a0/g, ' ') === kEdgePlaceholder);
    if (live) live.classList.add('live');
  }
  for (const title of picture.querySelectorAll('title')) title.remove();
  for (const link of picture.querySelectorAll('a')) link.replaceWith(...link.childNodes);
  return picture;
}

/// Without Graphviz: nodes in layers, each behind the ones that send to it.
function layOut(graph, narrow) {
  const depth = layersOf(graph), layers = [];
  depth.forEach((layer, node) => (layers[layer] = layers[layer] || []).push(node));
  const width = 150, height = 56, along = narrow ? 96 : 240, across = narrow ? 166 : 76;
  const most = Math.max(1, ...layers.map(layer => layer.length));
  const place = [];
  layers.forEach((layer, i) => layer.forEach((node, j) => {
    const offset = (j + (most - layer.length) / 2) * across;
    place[node] = narrow ? {x: offset + 8, y: i * along + 8} : {x: i * along + 8, y: offset + 8};
  }));
  const size = narrow ? [most * across, layers.length * along] : [layers.length * along - 70, most * across];
  const picture = drawn('svg', {viewBox: `0 0 ${size[0]} ${size[1]}`, width: size[0]});
  picture.style.minWidth = Math.round(size[0] * .62) + 'px';
  graph.edges.forEach((edge, i) => {
    const from = place[edge.from], to = place[edge.to];
    const [x1, y1, x2, y2] = narrow ? [from.x + width / 2, from.y + height, to.x + width / 2, to.y] : [from.x + width, from.y + height / 2, to.x, to.y + height / 2];
    const bend = narrow ? `${x1} ${(y1 + y2) / 2} ${x2} ${(y1 + y2) / 2}` : `${(x1 + x2) / 2} ${y1} ${(x1 + x2) / 2} ${y2}`;
    const group = drawn('g', {class: 'edge', 'data-index': i});
    group.append(drawn('path', {d: `M${x1} ${y1}C${bend} ${x2} ${y2}`, ...(edge.delayed ? {'stroke-dasharray': '4 3'} : {})}));
    group.append(drawn('polygon', {points: narrow ? `${x2},${y2} ${x2 - 4},${y2 - 7} ${x2 + 4},${y2 - 7}` : `${x2},${y2} ${x2 - 7},${y2 - 4} ${x2 - 7},${y2 + 4}`}));
    group.append(drawn('text', {class: 'live', x: (x1 + x2) / 2 + (narrow ? 34 : 0), y: (y1 + y2) / 2 - 5, 'text-anchor': 'middle', 'font-size': 10}));
    picture.append(group);
  });
  graph.nodes.forEach((node, i) => {
    const {x, y} = place[i], middle = x + width / 2;
    const fit = (text, most) => text.length > most ? text.slice(0, most - 1) + '…' : text;
    const group = drawn('g', {class: 'node', 'data-index': i});
    group.append(drawn('rect', {x, y, width, height, rx: 8}));
    const text = (dy, size, value, more) => group.append(drawn('text', {x: middle, y: y + dy, 'text-anchor': 'middle', 'font-size': size, ...more}, value));
    text(18, 12, fit(node.label, 22), {'font-weight': 600});
    text(33, 9, fit(node.types[0] || '', 30), {class: 'type'});
    text(48, 10, '', {class: 'live'});
    picture.append(group);
  });
  return picture;
}
function layersOf(graph) {
  const depth = graph.nodes.map(() => 0);
  for (let round = 0; round < graph.nodes.length; ++round) {
    let changed = false;
    for (const edge of graph.edges) {
      if (!edge.delayed && edge.from !== edge.to && depth[edge.to] <= depth[edge.from] && depth[edge.from] + 1 < graph.nodes.length) {
        depth[edge.to] = depth[edge.from] + 1;
        changed = true;
      }
    }
    if (!changed) break;
  }
  return depth;
}

let parts = {nodes: [], edges: []};
function findParts(picture) {
  const collect = kind => [...picture.querySelectorAll('g.' + kind)].map(group => ({group, index: Number(group.dataset.index), live: group.querySelector('.live')}));
  parts = {nodes: collect('node'), edges: collect('edge')};
  for (const {group, index, live} of parts.nodes) {
    const shape = group.querySelector('path, polygon, ellipse, rect').getBBox();
    if (live) {
      live.setAttribute('text-anchor', 'middle');
      live.setAttribute('x', shape.x + shape.width / 2);
    }
    const node = state.graph.nodes[index];
    if (!node || !node.status) continue;
    group.setAttribute('tabindex', 0);
    group.setAttribute('role', 'button');
    group.setAttribute('aria-label', `entity ${node.name}`);
    group.addEventListener('click', () => choose(node.name));
    group.addEventListener('keydown', event => { if (event.key === 'Enter' || event.key === ' ') { event.preventDefault(); choose(node.name); } });
  }
  for (const edge of parts.edges) {
    if (!edge.live) continue;
    const y = Number(edge.live.getAttribute('y'));
    let left = Number(edge.live.getAttribute('x')) - 17;
    if (edge.live.getAttribute('text-anchor') === 'start') {
      left += 17 + 6;  // clear of the edge
      edge.live.setAttribute('x', left);
    }
    edge.track = drawn('rect', {class: 'track', x: left, y: y + 3, width: 34, height: 3, rx: 1.5});
    edge.fill = drawn('rect', {class: 'fill', x: left, y: y + 3, width: 0, height: 3, rx: 1.5});
    edge.group.append(edge.track, edge.fill);
  }
}
function setText(target, text) { if (target && target.textContent !== text) target.textContent = text; }

const flow = queue => state.end || queue.arrived === null ? '' : perSecond(rateInto(queue.queue)) + ', ';

/// The mean time of an operator of a CUDA graph on the GPU; empty: it is not measured.
function timeInGraph(name) {
  const each = (state.status.graphs || []).flatMap(graph => graph.operators).find(known => known.entity === name && known.runs > 0);
  return each ? duration(each.total_ns / each.runs) : '';
}

function showGraph() {
  if (!state.graph || !state.status) return;
  const entities = new Map(state.status.entities.map(each => [each.entity, each]));
  const queues = new Map(allQueues().map(each => [each.queue, each]));
  for (const {group, index, live} of parts.nodes) {
    const node = state.graph.nodes[index], entity = node && entities.get(node.status);
    const failed = node && failureOf(node.name);
    const look = failed ? 'bad' : entity ? lookOf(entity) : '';
    const chosen = node && node.name === state.chosen ? ' chosen' : '';
    if (group.getAttribute('class') !== `node ${look}${chosen}`) group.setAttribute('class', `node ${look}${chosen}`);
    setText(live, !entity ? '' : look === 'bad' ? (failed || failureOf(entity.entity) ? 'failed' : 'hangs') : look === 'finished' ? 'finished' : timeInGraph(node.name) || perSecond(rate(entity.entity)));
  }
  for (const {group, index, live, track, fill} of parts.edges) {
    const edge = state.graph.edges[index];
    if (!edge) continue;
    const queue = queues.get(edge.to_queue), sends = queues.get(edge.from_queue);
    const part = Math.max(partOf(queue), partOf(sends));
    const full = part >= 1 && !state.end;
    group.setAttribute('class', full ? 'edge full' : 'edge');
    setText(live, queue && queue.messages !== null ? flow(queue) + `${queue.messages} of ${queue.capacity}` + (queue.waiting ? `, ${duration(queue.waiting.p50_ns)}` : '') : '');
    if (track) {
      track.setAttribute('visibility', queue ? 'visible' : 'hidden');
      fill.setAttribute('width', Math.round(34 * Math.min(1, part)));
    }
  }
}

// --- chart -----------------------------------------------------------------------------------

function niceMost(value) {
  if (!(value > 0)) return 1;
  const size = 10 ** Math.floor(Math.log10(value));
  return [1, 2, 2.5, 5, 10].map(each => each * size).find(each => each >= value);
}
function showChart() {
  const chart = $('chart'), width = chart.clientWidth, height = chart.clientHeight;
  const values = state.history.map(each => state.chosen ? each.rates.get(state.chosen) ?? each.rates.get(statusName(state.chosen)) ?? null : each.total);
  $('chart-title').textContent = 'Ticks a second';
  $('chart-note').textContent = state.chosen || 'all entities';
  const left = 44, right = 8, top = 8, bottom = 22;
  const most = niceMost(Math.max(0, ...values.filter(each => each !== null)));
  const span = Math.max(60, Math.ceil(state.history.length / 60) * 60);
  const x = i => left + (width - left - right) * (1 - (state.history.length - 1 - i) / (span - 1));
  const y = value => top + (height - top - bottom) * (1 - value / most);
  const picture = drawn('svg', {viewBox: `0 0 ${width} ${height}`, role: 'img', 'aria-label': 'Ticks a second in the last minutes'});
  for (const part of [0, .5, 1]) {
    picture.append(drawn('line', {class: 'grid', x1: left, x2: width - right, y1: y(part * most), y2: y(part * most)}));
    picture.append(drawn('text', {x: left - 8, y: y(part * most) + 4, 'text-anchor': 'end'}, short(part * most)));
  }
  picture.append(drawn('text', {x: left, y: height - 4}, `${span / 60} min ago`));
  picture.append(drawn('text', {x: width - right, y: height - 4, 'text-anchor': 'end'}, 'now'));
  const points = values.map((value, i) => value === null ? null : [x(i), y(value)]).filter(Boolean);
  if (points.length > 0) {
    const line = points.map(([px, py]) => `${px.toFixed(1)} ${py.toFixed(1)}`).join('L');
    picture.append(drawn('path', {class: 'area', d: `M${points[0][0]} ${y(0)}L${line}L${points.at(-1)[0]} ${y(0)}Z`}));
    picture.append(drawn('path', {class: 'line', d: `M${line}`}));
  }
  const cross = drawn('line', {class: 'cross', y1: top, y2: height - bottom, visibility: 'hidden'});
  const point = drawn('circle', {class: 'point', r: 4, visibility: 'hidden'});
  const label = drawn('text', {y: top + 4, visibility: 'hidden'});
  picture.append(cross, point, label);
  picture.addEventListener('pointermove', event => {
    const at = event.clientX - chart.getBoundingClientRect().left;
    const i = Math.round((at - left) / (width - left - right) * (span - 1)) - (span - state.history.length);
    const value = values[i], visible = value === undefined || value === null ? 'hidden' : 'visible';
    for (const each of [cross, point, label]) each.setAttribute('visibility', visible);
    if (visible === 'hidden') return;
    cross.setAttribute('x1', x(i)); cross.setAttribute('x2', x(i));
    point.setAttribute('cx', x(i)); point.setAttribute('cy', y(value));
    const near = x(i) > width - 120;
    label.setAttribute('x', x(i) + (near ? -8 : 8));
    label.setAttribute('text-anchor', near ? 'end' : 'start');
    label.textContent = `${short(value)}, ${state.history.length - 1 - i} s ago`;
  });
  picture.addEventListener('pointerleave', () => { for (const each of [cross, point, label]) each.setAttribute('visibility', 'hidden'); });
  chart.replaceChildren(picture);
}

// --- one entity ------------------------------------------------------------------------------

/// The name by which the status knows an entity: that of its CUDA graph, if it is a part of one.
function statusName(name) {
  const node = state.graph && state.graph.nodes.find(each => each.name === name);
  return node ? node.status : name;
}
function choose(name) {
  state.chosen = state.chosen === name ? null : name;
  $('detail-card').hidden = !state.chosen;
  document.querySelector('main').classList.toggle('detailed', Boolean(state.chosen));
  if (state.chosen) fetchDetail();
  showPreviews();
  if (state.status) show(performance.now());
  showChart();
}

async function fetchDetail() {
  const name = state.chosen;
  if (!name) return;
  let facts;
  try {
    facts = await ask('api/entity?name=' + encodeURIComponent(name));
  } catch (error) {
    facts = {components: [], region: '', error: error.message};
  }
  if (name !== state.chosen) return;
  $('detail-title').textContent = name;
  const box = $('detail');
  box.replaceChildren(element('p', {className: 'reasons', id: 'detail-state'}), element('div', {id: 'previews'}));
  if (facts.error) box.append(element('p', {className: 'reasons', textContent: facts.error}));
  if (facts.region) box.append(element('p', {className: 'note', textContent: `part of the CUDA graph ${facts.region}`}));
  showComponents(box, facts.components, each => each.changeable);
  const fixed = element('details', {}, element('summary', {textContent: 'Components and fixed parameters'}));
  showComponents(fixed, facts.components, each => !each.changeable);
  if (facts.components.length > 0) box.append(fixed);
  showDetailState();
}
function showComponents(box, components, takes) {
  for (const component of components) {
    const parameters = component.parameters.filter(takes);
    if (parameters.length === 0) continue;
    box.append(element('h3', {}, component.component || component.type, ' ', element('span', {textContent: component.component ? component.type : ''})));
    parameters.forEach(each => box.append(parameterRow(each)));
  }
}
function showDetailState() {
  const line = $('detail-state'), entity = state.chosen && entityOf(statusName(state.chosen));
  if (line) line.textContent = entity ? `${grouped(entity.ticks)} ticks, ${wordsOf(entity)}` + (entity.lateness ? `; 99 % at most ${duration(entity.lateness.p99_ns)} late` : '') : '';
}

function parameterRow(parameter) {
  const key = parameter.parameter.split('/').pop();
  const row = element('div', {className: 'parameter'});
  const id = 'p-' + parameter.parameter;
  row.append(element('label', {textContent: key, htmlFor: id, title: parameter.takes}));
  if (!parameter.changeable) {
    row.append(element('span', {className: 'value', id, textContent: parameter.value ?? '~', title: parameter.why_not}));
    return row;
  }
  const isFlag = parameter.takes.startsWith('bool');
  const input = isFlag ? element('select', {id}, ...['true', 'false'].map(each => element('option', {textContent: each}))) : element('input', {id, autocomplete: 'off', spellcheck: false});
  input.value = parameter.value ?? '';
  input.dataset.parameter = parameter.parameter;
  const button = element('button', {textContent: 'Set'});
  const result = element('div', {className: 'result', hidden: true});
  result.setAttribute('role', 'status');
  const form = element('form', {}, input, button);
  form.addEventListener('submit', async event => {
    event.preventDefault();
    button.disabled = true;
    try {
      await ask('api/set', {method: 'POST', headers: {'Content-Type': 'application/json'}, body: JSON.stringify({set: [`${parameter.parameter}=${input.value}`]})});
      Object.assign(result, {className: 'result good', textContent: 'set', hidden: false});
    } catch (error) {
      Object.assign(result, {className: 'result bad', textContent: error.message, hidden: false});
    }
    button.disabled = false;
  });
  row.append(form, element('div', {className: 'takes', textContent: parameter.takes}), result);
  return row;
}

// --- what passes -----------------------------------------------------------------------------

const kPreviewEvery = 600;  // ms

/// The entities whose messages belong to an entity: its own, or those that a sink takes.
function sendersOf(name) {
  const {nodes, edges} = state.graph || {nodes: [], edges: []};
  const names = end => edges.filter(each => nodes[each[end]].name === name);
  const sources = names('from').length > 0 ? [] : names('to').map(each => nodes[each.from].name);
  return sources.length > 0 ? [...new Set(sources)].slice(0, 3) : [name];
}

let asksPreviews = false;
async function showPreviews() {
  if (asksPreviews) return;
  asksPreviews = true;
  while (state.chosen) {
    if (!state.end && !document.hidden) await fetchPreviews(state.chosen).catch(console.error);
    await new Promise(done => setTimeout(done, kPreviewEvery));
  }
  asksPreviews = false;
}
async function fetchPreviews(name) {
  const answers = await Promise.all(sendersOf(name).map(each =>
    ask('api/preview?entity=' + encodeURIComponent(each)).catch(error => ({queues: [], error: error.message}))));
  const box = $('previews');
  if (!box || name !== state.chosen) return;
  const shown = answers.flatMap(answer => answer.queues.map(queue => ({...queue, tick: answer.tick})));
  const refusal = shown.length === 0 && answers.map(each => each.error).find(Boolean);
  if (refusal) return box.replaceChildren(element('p', {className: 'note', textContent: refusal}));
  box.querySelector('.note')?.remove();
  const known = new Map([...box.querySelectorAll('figure')].map(each => [each.dataset.queue, each]));
  for (const queue of shown) {
    const figure = known.get(queue.queue) || box.appendChild(element('figure', {className: 'preview'}));
    figure.dataset.queue = queue.queue;
    drawPreview(figure, queue);
  }
}
function drawPreview(figure, queue) {
  const range = queue.why_not ? queue.why_not : queue.picture && queue.type === 'uint8' ? '' : `${short(queue.low)} to ${short(queue.high)}`;
  const words = [queue.queue, queue.type ? `${queue.type} ${queue.shape}` : '', `tick ${grouped(queue.tick)}`, range].filter(Boolean).join(', ');
  const picture = queue.picture ? drawPicture(queue.picture, figure.querySelector('canvas')) : queue.line ? drawLine(queue) : '';
  figure.replaceChildren(picture, element('figcaption', {textContent: words}));
}
/// Into the canvas that is there, if there is one: a new one would flicker.
function drawPicture({width, height, channels, pixels}, canvas = null) {
  const bytes = Uint8Array.from(atob(pixels), each => each.charCodeAt(0));
  const made = canvas || element('canvas');
  if (made.width !== width || made.height !== height) Object.assign(made, {width, height});
  const context = made.getContext('2d'), image = context.createImageData(width, height);
  for (let i = 0; i < width * height; ++i) {
    for (let channel = 0; channel < 3; ++channel) image.data[4 * i + channel] = bytes[i * channels + (channels > 1 ? channel : 0)];
    image.data[4 * i + 3] = 255;
  }
  context.putImageData(image, 0, 0);
  return made;
}
function drawLine({line, low, high}) {
  const width = 320, height = 90, span = high > low ? high - low : 1;
  const at = (value, i) => `${(i * width / Math.max(1, line.length - 1)).toFixed(1)} ${(height - 2 - (high > low ? (value - low) / span : .5) * (height - 4)).toFixed(1)}`;
  const picture = drawn('svg', {viewBox: `0 0 ${width} ${height}`, preserveAspectRatio: 'none', role: 'img', 'aria-label': 'values'});
  const points = line.map((value, i) => value === null ? null : at(value, i)).filter(Boolean);
  if (points.length === 1) points.push(`${width} ${points[0].split(' ')[1]}`);
  if (points.length > 0) picture.append(drawn('path', {class: 'line', d: 'M' + points.join('L')}));
  return picture;
}

// --- log -------------------------------------------------------------------------------------

function addLines(lines) {
  const box = $('log'), atEnd = box.scrollHeight - box.scrollTop - box.clientHeight < 24;
  for (const line of lines.filter(each => each.number > state.log)) {
    const time = new Date(line.time_ms).toLocaleTimeString('en-GB');
    box.append(element('div', {}, element('time', {textContent: time}), element('span', {className: 'level ' + line.level, textContent: line.level}), element('span', {className: line.level, textContent: line.text})));
    state.log = line.number;
  }
  while (box.childElementCount > kMostLines) box.firstElementChild.remove();
  if (atEnd) box.scrollTop = box.scrollHeight;
}
let fetchesLog = false;
async function fetchLog() {
  if (fetchesLog) return;
  fetchesLog = true;
  try {
    const {lines} = await ask('api/log?after=' + state.log);
    addLines(lines);
  } catch (error) {
    // The next status asks again.
  }
  setTimeout(() => { fetchesLog = false; }, 500);
}

$('detail-close').addEventListener('click', () => choose(state.chosen));
let resized = 0;
window.addEventListener('resize', () => { clearTimeout(resized); resized = setTimeout(() => { fetchGraph(); showChart(); }, 150); });
fetchGraph();
showChart();
connect();
