// Loaded before every entry by `node --import`. Plain JavaScript, so that an old Node can read it and say what is wrong.
const NODE_MAJOR_MIN = 24;

if (Number.parseInt(process.versions.node, 10) < NODE_MAJOR_MIN) {
  console.error(
    `Paydesk needs Node ${NODE_MAJOR_MIN} or later, and this is Node ${process.versions.node}. \`npm install\` brings the right one with it: start through \`npm start\`, \`npm run serve\` or \`npm test\`.`,
  );
  process.exit(1);
}
