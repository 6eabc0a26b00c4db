// Serves the files of a folder, and `config.json` from the environment variable CONFIG.
import express from 'express';

const { NAME, FOLDER, PORT, CONFIG } = process.env;

const app = express();
app.get('/config.json', (_, response) => response.type('json').send(CONFIG));
app.use(express.static(FOLDER));
app.listen(Number(PORT), 'localhost', () => console.log(`${NAME} is at http://localhost:${PORT}`));
