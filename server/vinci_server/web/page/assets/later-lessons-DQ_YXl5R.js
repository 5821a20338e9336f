<<<<<<<< HEAD:server/vinci_server/web/page/assets/later-lessons-DQ_YXl5R.js
import{b as e,d as t}from"./index-BvOSF3eo.js";var n={en:()=>e(()=>import(`./later-en-Dayj3cWp.js`),[]),fr:()=>e(()=>import(`./later-fr-BX6ISyl8.js`),[]),nl:()=>e(()=>import(`./later-nl-Drx0H5hS.js`),[]),de:()=>e(()=>import(`./later-de-B1fzhWzK.js`),[])};async function r(){return(await n[t()]()).default}export{r as t};
========
import{b as e,d as t}from"./index-CqBEQA_W.js";var n={en:()=>e(()=>import(`./later-en-Dayj3cWp.js`),[]),fr:()=>e(()=>import(`./later-fr-BX6ISyl8.js`),[]),nl:()=>e(()=>import(`./later-nl-Drx0H5hS.js`),[]),de:()=>e(()=>import(`./later-de-B1fzhWzK.js`),[])};async function r(){return(await n[t()]()).default}export{r as t};
>>>>>>>> 728c366f (Build the page):server/vinci_server/web/page/assets/later-lessons-Dx58Aels.js
